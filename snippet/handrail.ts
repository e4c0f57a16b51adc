/** What a page may know of a site's tools: a snapshot, replaced whenever something changes. */
export type SiteState = {
  /** `loading` until the config of the page's path is there, `failed` while it cannot be had. */
  state: 'loading' | 'ready' | 'failed'
  /** The page's path that the config is for. */
  path: string
  /** Names of the tools that are registered, and of those that a form carries. */
  tools: string[]
  forms: string[]
  /** Why a tool of the config is not there, by its name. */
  problems: Record<string, string>
  /** How often a tool came, went or changed. */
  changes: number
  /** Why the config failed. */
  error?: string | undefined
}

/** `window.handrail`, shared by all snippets of a page. */
export type Handrail = {
  /** By public identifier. */
  sites: Record<string, SiteState>
  /** Asks for the config of every site now. Never rejects: a failure is in `sites`. */
  refresh(): Promise<void>
}

declare global {
  interface Window {
    handrail?: Handrail
  }
}

/** Makes a site known to the page. @returns how to tell its state, undefined where another snippet has the site. */
export function announce(
  siteId: string,
  refresh: () => Promise<void>,
): ((state: SiteState) => void) | undefined {
  const handrail = window.handrail?.sites
    ? window.handrail
    : {sites: Object.create(null), refresh: async () => {}}
  // A page may have something of its own by this name.
  window.handrail ??= handrail
  if (handrail.sites[siteId]) return undefined
  const others = handrail.refresh
  handrail.refresh = async () => {
    await Promise.all([others(), refresh()])
  }
  return (state) => {
    handrail.sites[siteId] = state
    dispatchEvent(new CustomEvent('handrail', {detail: {site: siteId, ...state}}))
  }
}
