import type {StudioOfPreview} from '../making/studioLink.ts'
import {all, contextOf} from '../snippet/page.ts'
import {PANEL_ONLY, PREVIEW_LINK, parseWanted, type WantedField} from '../snippet/previewLink.ts'
import {namesSite, optionOf} from '../snippet/tag.ts'
import {type CallingContext, type RegisteredTool, windowOf} from '../snippet/webmcp.ts'
import {type Call, Calls} from './calls.ts'
import {PanelSite, type SiteOptions} from './panelSite.ts'
import {createRegistry} from './registry.ts'
import {keep, keepWanted, siteOf, wantedBy} from './session.ts'
import {keepInTab, keptInTab} from './tabStorage.ts'

/** Milliseconds for which changes are collected: a changed tool is removed and registered again, and what was typed for it stays. */
const PAUSE = 100

/** Milliseconds between two updates of the time that is left. */
const TICK = 15_000

/** Where the tab of the browser remembers how the panel looks: a person who makes a tool goes from page to page. */
const LAYOUT = {tab: 'handrail-panel-tab', place: 'handrail-panel-place', size: 'handrail-panel'} as const

/** How it looks at first, which leaves nothing in the storage of the tab. */
const FIRST = {tab: 'tools', place: 'right', size: undefined} as const

/** Narrower pages start with a collapsed panel. */
const WIDE = '(min-width: 68rem)'

/** What the panel shows: the sites, tools and calls of the page. */
export class Panel {
  readonly sites: PanelSite[] = []
  readonly calls: Calls
  /** Whether the browser has WebMCP. If not, tools are registered in the panel only. */
  readonly hasWebMcp: boolean
  /** The tools that an agent finds on the page. */
  tools: readonly RegisteredTool[] = []
  /** Whether a person closed the panel. */
  isClosed = false
  /** The field of a tool that Studio opened the page for. */
  wanted: WantedField | undefined
  /** The tab that is shown, where the panel stands, and whether it is `open` or `collapsed`. */
  readonly layout: Record<keyof typeof LAYOUT, string>
  /** The document of a tool whose tests run now: another object for each time that this is asked for. */
  wantedTests: {readonly id: string} | undefined
  /** Called when anything of it has changed. */
  changed: () => void = () => {}
  readonly #context: CallingContext
  #isListing = false
  #link = ''

  /** @param link see `open` in main.ts. */
  constructor(link: string) {
    this.wanted = parseWanted(wantedBy(link))
    this.layout = {
      tab: keptInTab(LAYOUT.tab) ?? FIRST.tab,
      place: keptInTab(LAYOUT.place) ?? FIRST.place,
      size: keptInTab(LAYOUT.size) ?? (matchMedia(WIDE).matches ? 'open' : 'collapsed'),
    }
    // Studio has just opened the page to make a tool or to change one.
    if (link.includes('&make')) {
      this.arrange('tab', 'make')
      this.layout.size = 'open'
    }
    const modelContext = contextOf()
    this.hasWebMcp = modelContext !== undefined
    this.#context = modelContext ?? createRegistry()
    this.calls = new Calls(this.#context, () => this.changed())
    this.#context.addEventListener('toolchange', () => this.#listTools())
    addEventListener('handrail', ({detail}) => {
      const site = this.sites.find(({siteId}) => siteId === detail?.site)
      if (site) site.state = detail
      this.#listTools()
    })
    addEventListener('securitypolicyviolation', (event) => {
      for (const site of this.sites) site.block(event)
    })
    addEventListener('hashchange', () => {
      // A link that was opened in this tab. The snippet takes it when the page loads.
      if (PREVIEW_LINK.test(location.hash)) location.reload()
    })
    // A router writes the address once more in which it found the link.
    window.navigation?.addEventListener('currententrychange', ({navigationType}) => {
      if (navigationType === 'replace' && PREVIEW_LINK.test(location.hash))
        history.replaceState(history.state, '', location.href.split(PREVIEW_LINK)[0])
    })
    setInterval(() => {
      if (!document.hidden && this.isPreview) this.changed()
    }, TICK)
    this.#listTools()
    // A hash router took the link for a page that it does not have.
    if (
      hasOption('hashRouter') &&
      PREVIEW_LINK.test(performance.getEntriesByType('navigation')[0]?.name ?? '')
    )
      for (const type of ['popstate', 'hashchange']) dispatchEvent(new Event(type))
  }

  /** Adds the site of a tag. @param link see `open` in main.ts. */
  add(link: string, base: string, siteId: string, ...options: SiteOptions): void {
    if (this.sites.some((site) => site.siteId === siteId)) return
    const site = new PanelSite(base, siteId, () => this.changed())
    this.sites.push(site)
    this.#link = link
    site.preview(link)
    site.start(this.calls.watch(), ...options)
  }

  /** The address of the service, with a trailing slash. */
  get base(): string {
    return this.sites[0]?.base ?? ''
  }

  /** Where Studio saves drafts for this page, while a preview says it. */
  get studio(): (StudioOfPreview & {siteId: string}) | undefined {
    const drafts = this.sites.map((site) => site.drafts ?? site.waiting).find((known) => known?.studioUrl)
    if (drafts?.studioUrl === undefined) return undefined
    return {url: drafts.studioUrl, preview: drafts.preview, siteId: drafts.site.id}
  }

  /** Whether drafts are shown, or were asked for. */
  get isPreview(): boolean {
    return this.sites.some(({isPreviewed}) => isPreviewed)
  }

  /** Whether the link is for none of the sites on this page. */
  get isForOtherSite(): boolean {
    const siteId = siteOf(this.#link)
    return siteId !== undefined && !this.sites.some((site) => site.siteId === siteId)
  }

  /** Whether the site's owner put the panel on the page, so that it cannot be closed. */
  get isPermanent(): boolean {
    return hasOption('panel')
  }

  /** Ends the preview in this tab: the page has what is published, as for a visitor. */
  end(): void {
    for (const site of this.sites) site.endPreview()
    this.refresh()
    this.close()
  }

  /** Removes the panel from this tab, unless the site's owner put it on the page. */
  close(): void {
    this.#link = PANEL_ONLY
    keep(undefined)
    this.isClosed = !this.isPermanent
    this.changed()
  }

  /** Changes how the panel looks. */
  arrange(part: keyof typeof LAYOUT, value: string): void {
    this.layout[part] = value
    keepInTab(LAYOUT[part], value === FIRST[part] ? undefined : value)
    this.changed()
  }

  /** Runs the tests of a tool, by the ID of its document. */
  runTests(id: string): void {
    this.wantedTests = {id}
    this.arrange('tab', 'tests')
  }

  /** Goes on with a new tool, in place of the one that Studio opened the page for. */
  forgetWanted(): void {
    this.wanted = undefined
    keepWanted('')
    this.changed()
  }

  /** Asks the service for changes now. */
  refresh(): void {
    // The page may use this name itself.
    void window.handrail?.refresh?.()
  }

  /** Calls a tool as an agent does. */
  async call(listed: RegisteredTool, args: unknown, signal: AbortSignal): Promise<Call> {
    // The listed one may have been replaced in the meantime. A frame may have one of the same name.
    const tools = await this.#context.getTools()
    const tool = tools.find((one) => one.name === listed.name && windowOf(one) === windowOf(listed))
    return this.calls.call(tool ?? listed, args, signal)
  }

  #listTools(): void {
    if (this.#isListing) return
    this.#isListing = true
    setTimeout(async () => {
      this.#isListing = false
      this.tools = await this.#context.getTools()
      this.changed()
    }, PAUSE)
  }
}

/** Whether a tag of the page has an option. */
function hasOption(name: string): boolean {
  return all<HTMLScriptElement>('script').some((tag) => namesSite(tag) && optionOf(tag, name) !== undefined)
}
