import {useMemo} from 'react'
import {useWorkspace} from 'sanity'
import {textOf} from '../../schemas/rules/text.ts'

/** The tabs of a site's page, as their addresses name them. */
export const SITE_TABS = ['tools', 'pages', 'install', 'calls', 'activity', 'reviews'] as const

export type SiteTab = (typeof SITE_TABS)[number]

/** The name of the tool of Studio that has the overview and the pages of sites. */
export const OVERVIEW = 'overview'

/** @param basePath of the workspace, such as `/` */
function addressesBelow(basePath: string) {
  const base = basePath.replace(/\/$/, '')
  const overview = `${base}/${OVERVIEW}`
  // The pane that Studio itself opens for a document that no list contains.
  const pane = (id: string, params: string) =>
    `${base}/structure/${encodeURIComponent(`__edit__${id},${params}`)}`
  return {
    overview,
    /** The page of a site. */
    site: (siteId: string, tab: SiteTab = 'tools') =>
      `${overview}/${encodeURIComponent(siteId)}${tab === 'tools' ? '' : `/${tab}`}`,
    /** The form of a tool, next to the list that has it. With a field, the tab of the form that has this field. */
    tool: (siteId: string, type: string, id: string, field?: string) =>
      `${base}/structure/${['sites', siteId, type === 'tool' ? 'tools' : 'formTools', id].map(encodeURIComponent).join(';')}${field === undefined ? '' : `,path=${field}`}`,
    /** The form of a document, next to no list. */
    form: (type: string, id: string) => pane(id, `type=${type}`),
    /** Where a site's settings have its addresses. */
    addressesOf: (siteId: string) => pane(siteId, 'type=site,path=addresses'),
    /** A release, in Studio's own tool. */
    release: (name: string) => `${base}/releases/${encodeURIComponent(name)}`,
    /** The calls of a tool, next to no list. */
    calls: (type: string, id: string) => pane(id, `type=${type},view=calls`),
  }
}

export type Addresses = ReturnType<typeof addressesBelow>

/** The addresses of pages in this Studio. */
export function useAddresses(): Addresses {
  const {basePath} = useWorkspace()
  return useMemo(() => addressesBelow(basePath), [basePath])
}

/** What a site with this name is called where people choose or read it. */
export function siteName(name: unknown): string {
  return textOf(name) || 'Untitled site'
}
