import {Panel} from './panel.ts'
import type {SiteOptions} from './panelSite.ts'
import {mount} from './view/mount.tsx'

let panel: Panel | undefined

/**
 * Called by each snippet of a page that shows the panel.
 * @param link what follows the preview key in the page's address or in the storage of the tab. What is not a
 * link asks for the panel without drafts.
 * @param base the address of the service, with a trailing slash.
 */
export function open(link: string, base: string, siteId: string, ...options: SiteOptions): void {
  if (!panel) {
    panel = new Panel(link)
    panel.changed = mount(panel)
  }
  panel.add(link.replace(/&.*/, ''), base, siteId, ...options)
}
