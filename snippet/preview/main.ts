import {startSite} from '../site.ts'

/**
 * Called by each snippet of a page that shows the panel.
 * @param link what follows the preview key in the page's address or in the storage of the tab.
 */
export function open(_link: string, base: string, siteId: string, isDebug: boolean): void {
  if (document.modelContext) startSite(document.modelContext, base, siteId, isDebug)
}
