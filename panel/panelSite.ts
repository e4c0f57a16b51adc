import type {PreviewedTool} from '../schemas/preview.ts'
import {servedIn} from '../schemas/served.ts'
import {call} from '../snippet/calls.ts'
import {watch} from '../snippet/conditions/watch.ts'
import {type Config, type Failure, fetchConfig} from '../snippet/config.ts'
import type {SiteState} from '../snippet/handrail.ts'
import {all} from '../snippet/page.ts'
import {startSite} from '../snippet/site.ts'
import type {ModelContext} from '../snippet/webmcp.ts'
import type {Drafts} from './answer.ts'
import {pagePath} from './pagePath.ts'
import {createLoader} from './scripts.ts'
import {keep, PreviewSession, siteOf} from './session.ts'

/** Milliseconds until a failed request for drafts is retried. Visitors' pages wait longer: there are many of them. */
const RETRY_AFTER = 1_000

/** What the tag of a site says: whether its snippet logs, the path of the page, and the tag's nonce. */
export type SiteOptions = [isDebug: boolean, here: () => string, nonce: string]

/** A site of the page, with its drafts while a preview lasts. */
export class PanelSite {
  readonly siteId: string
  /** What the snippet says about it. */
  state: SiteState | undefined
  drafts: Drafts | undefined
  /** Its name, once a preview has said it: what visitors get does not contain it. */
  name: string | undefined
  /** Drafts that do not run before a person agrees. */
  waiting: Drafts | undefined
  /** Why there are no drafts any more. */
  ended: string | undefined
  /** Names of all published tools of the site, once they were asked for. */
  names: readonly string[] | undefined
  /** The directives of the page's policy that blocked the service, such as `connect-src`. */
  blocked: readonly string[] = []
  /** The address of the service, with a trailing slash. */
  readonly base: string
  readonly #siteUrl: string
  readonly #changed: () => void
  #session: PreviewSession | undefined
  #retry: ReturnType<typeof setTimeout> | undefined

  /**
   * @param base the address of the service, with a trailing slash.
   * @param changed called when anything of it has changed.
   */
  constructor(base: string, siteId: string, changed: () => void) {
    this.base = base
    this.#siteUrl = `${base}api/sites/${siteId}/`
    this.siteId = siteId
    this.#changed = changed
  }

  /** @param context where its tools are registered. */
  start(context: ModelContext, ...options: SiteOptions): void {
    const load = createLoader(({id}) => {
      const module = this.drafts?.modules.get(id)
      return module && this.base + module
    })
    // It shows what the service has now.
    for (const {dataset} of all<HTMLElement>('[data-handrail]')) delete dataset.handrail
    startSite(
      context,
      this.base,
      this.siteId,
      ...options,
      (...request) => this.#fetch(...request),
      async () => ({
        call: (each) => call(each, load),
        applied: (_site, {conditional}, absent, offer) => {
          if (conditional) watch(absent, offer)
        },
      }),
    )
  }

  get isPreviewed(): boolean {
    return this.#session !== undefined
  }

  /** Shows drafts, if the link is for this site. */
  preview(link: string): void {
    if (siteOf(link) !== this.siteId) return
    this.#session = new PreviewSession(this.#siteUrl, this.siteId, link)
    this.ended = undefined
    this.#changed()
  }

  /** Runs the drafts that wait. */
  runDrafts(): void {
    this.#session?.agree()
    this.waiting = undefined
    this.#changed()
    void window.handrail?.refresh?.()
  }

  /** Notes what the page's policy blocked. */
  block({blockedURI, effectiveDirective, disposition}: SecurityPolicyViolationEvent): void {
    const directive = effectiveDirective.replace('-elem', '')
    if (disposition === 'report' || !blockedURI.startsWith(this.base) || this.blocked.includes(directive))
      return
    this.blocked = [...this.blocked, directive]
    this.#changed()
  }

  /** Registers what is published, as for a visitor, at the next check. @param reason for a person. */
  endPreview(reason?: string): void {
    if (!this.#session) return
    this.#session = undefined
    this.drafts = undefined
    this.waiting = undefined
    this.ended = reason
    keep(undefined)
    this.#changed()
  }

  /** Asks for the names of all published tools. */
  async fetchNames(): Promise<void> {
    const config = await fetchConfig(`${this.#siteUrl}config`, 'default', null, new AbortController())
    if (!config || 'error' in config) return
    this.names = servedIn(config).map(({name}) => name)
    this.#changed()
  }

  async #fetch(
    configUrl: string,
    _cache: RequestCache,
    tag: string | null | undefined,
    attempt: AbortController,
  ): Promise<Config | Failure | undefined> {
    const session = this.#session
    clearTimeout(this.#retry)
    if (session) {
      const answer = await session.fetch(pagePath(), attempt)
      const isCurrent = session === this.#session && !attempt.signal.aborted
      if (isCurrent && 'config' in answer && !session.mayRun && unreviewedDrafts(answer).length > 0) {
        // Without the drafts, no script of theirs is loaded for a published tool of the same ID.
        this.drafts = undefined
        this.waiting = answer
        this.#changed()
        return fetchConfig(`${configUrl}&check=1`, 'no-cache', tag, attempt)
      }
      if (isCurrent && 'config' in answer) {
        this.waiting = undefined
        if (answer !== this.drafts) {
          this.drafts = answer
          this.name = answer.site.name || undefined
          this.#changed()
        }
        return answer.config.tag && answer.config.tag === tag ? undefined : answer.config
      }
      if ('error' in answer) {
        if (isCurrent) this.#retryLater(answer.retryAfter)
        return answer
      }
      if (isCurrent && 'ended' in answer) this.endPreview(answer.ended)
    }
    // A preview is no visit. A page of a website for tests, with `data-panel`, is one.
    return fetchConfig(session ? `${configUrl}&check=1` : configUrl, 'no-cache', tag, attempt)
  }

  /** @param retryAfter seconds that the service asks for. */
  #retryLater(retryAfter = 0): void {
    const refresh = () => {
      if (!document.hidden) void window.handrail?.refresh?.()
    }
    this.#retry = setTimeout(refresh, Math.max(RETRY_AFTER, retryAfter * 1_000))
  }
}

/**
 * The drafts that wait until a person agrees: they change what agents can call, and that no reviewer or publisher answers for: the site asks for reviews, or somebody wrote them
 * who may not publish.
 */
export function unreviewedDrafts({site, tools}: Drafts): PreviewedTool[] {
  return tools.filter(
    ({isOffered, state, mayBePublished}) =>
      isOffered && state !== 'published' && (site.asksForReview || !mayBePublished),
  )
}
