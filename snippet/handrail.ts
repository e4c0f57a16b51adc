/** The state of a site's tools, as visible to the page: a snapshot, replaced at each change. */
export type SiteState = {
  /** `loading` until the config of the page's path has arrived, `failed` while it cannot be fetched. */
  state: 'loading' | 'ready' | 'failed'
  /** The page's path that the config is for. */
  path: string
  /** Names of the registered tools and of the form tools on the page. */
  tools: string[]
  forms: string[]
  /** Why a tool of the config is missing, by its name. */
  problems: Record<string, string>
  /** How often a tool was added, removed or changed. */
  changes: number
  /** Why the config failed. If `ready`: why a config in the page's HTML is not used. */
  error?: string | undefined
}

/** `window.handrail`, shared by all snippets of a page. */
type Handrail = {
  /** By public ID. */
  sites: Record<string, SiteState>
  /** Fetches the config of every site now. Never rejects: failures are in `sites`. */
  refresh(): Promise<void>
  /** Whether the visitor consents to counting calls. What counts them replaces it. */
  reportCalls(isAllowed: boolean): void
  /** What the page said before calls could be counted. */
  mayReport?: boolean
}

/** Why a tool of the config is missing, by its name. */
export type Problems = Map<string, string>

/** Called when a tool was added, removed or changed. */
export type Changed = () => void

declare global {
  interface Window {
    handrail?: Handrail
  }
  interface WindowEventMap {
    handrail: CustomEvent<SiteState & {site: string}>
  }
}

/**
 * Adds a site to the page's state. @returns a function that updates it; undefined if another snippet has the
 * site.
 */
export function announce(
  siteId: string,
  refresh: () => Promise<void>,
): ((state: SiteState) => void) | undefined {
  // The page may use this name itself, also for an element.
  const shared = window.handrail
  const handrail: Handrail =
    // A function.
    shared?.refresh?.call
      ? shared
      : {
          sites: Object.create(null),
          refresh: async () => {},
          reportCalls(isAllowed) {
            this.mayReport = isAllowed
          },
        }
  window.handrail ??= handrail
  if (handrail.sites[siteId]) return undefined
  const others = handrail.refresh
  handrail.refresh = async () => {
    const before = others()
    await refresh()
    await before
  }
  return (state) => {
    handrail.sites[siteId] = state
    dispatchEvent(new CustomEvent('handrail', {detail: {site: siteId, ...state}}))
  }
}
