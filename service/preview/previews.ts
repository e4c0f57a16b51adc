import {hash} from 'node:crypto'
import type {SanityClient} from '@sanity/client'
import type {FastifyBaseLogger} from 'fastify'
import {LRUCache} from 'lru-cache'
import type {DatasetSettings} from '../../common/datasetSettings.ts'
import {limitLines} from '../../common/log/lineLimit.ts'
import {isSameSecret} from '../../common/secret.ts'
import {LINK_MINUTES} from '../../schemas/preview.ts'
import {BusyError, errors, PreviewError} from '../errors.ts'
import {messagesIn} from '../upstream/upstreamFailure.ts'
import {TooSlow, WorkerThread} from '../workerThread.ts'
import type {PageReport} from './drafts/pageReport.ts'
import type {DraftsAnswer, DraftsQuestion, DraftsWorkerData} from './drafts/worker.ts'
import {isSealed, parseSealed, type ScriptName, seal} from './seals.ts'
import {type PreviewSecret, PreviewSecrets} from './secrets.ts'

/** Minimum interval between log lines about the failing previews of a site, in milliseconds. */
const LOG_EVERY = 60_000

/** SITE_MEMORY_MB divided by this: the heap of all previews, and the limit for one site. */
const HEAP_PART = 2
const SITE_PART = 16

/** The smallest heap that a site can be compiled in, in MB. */
const MIN_HEAP_MB = 64

/** Timeout for an answer of the thread, and the silence after which it counts as stuck, in milliseconds. */
const TIMEOUT = 8_000
const SILENCE = 20_000

/** Links that are remembered: only those that Studio made can be used, and clocks may differ by ten minutes. */
const LINKS = {max: 10_000, ttl: (LINK_MINUTES + 10) * 60_000}

/** The page that sends a request: its origin, or the service's own host for a page of the same origin. */
export type Caller = {readonly origin?: string | undefined; readonly host?: string | undefined}

type PreviewsOptions = {
  /** May read drafts. */
  readonly client: SanityClient
  readonly settings: DatasetSettings
  /** SITE_MEMORY_MB. */
  readonly siteMemory: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: FastifyBaseLogger
  /** Of the thread and of each query, instead of their own: tests wait longer on a busy machine. */
  readonly timeout?: number | undefined
}

/** Shows drafts to those who opened a preview link. */
export class Previews {
  readonly #secrets: PreviewSecrets
  /**
   * The tabs that exchanged a link here, by the id of its secret. Scripts of a page, its analytics and its service worker see a
   * link before the snippet does, so it must not work again elsewhere. The service may only read from upstream, so other
   * replicas, and this one after a restart, do not know: there, the time of a link ends that
   * (docs/decisions/0038-stateless-preview-tokens.md).
   */
  readonly #used = new LRUCache<string, {readonly tab: string | undefined}>(LINKS)
  /**
   * The origin of the page that last used a link, by the id of its secret. A tab asks for drafts once a second, so that
   * soon each replica knows.
   */
  readonly #opened = new LRUCache<string, string>(LINKS)
  readonly #thread: WorkerThread<DraftsQuestion, DraftsAnswer>
  readonly #clock: () => number
  readonly #log: FastifyBaseLogger
  readonly #isDue = limitLines(LOG_EVERY)

  constructor({client, settings, siteMemory, clock, log, timeout}: PreviewsOptions) {
    const {projectId, dataset, apiHost, apiToken, serviceTokenFile} = settings
    this.#secrets = new PreviewSecrets(client, clock, undefined, timeout)
    this.#thread = new WorkerThread({
      module: new URL('./drafts/worker.ts', import.meta.url),
      workerData: {
        settings: {projectId, dataset, apiHost, apiToken, serviceTokenFile},
        maxSiteBytes: (siteMemory * 2 ** 20) / SITE_PART,
        timeout,
      } satisfies DraftsWorkerData,
      heapMb: Math.max(MIN_HEAP_MB, siteMemory / HEAP_PART),
      timeout: timeout ?? TIMEOUT,
      silence: SILENCE,
      onEnd: (reason) =>
        log.error({reason}, 'the thread of previews ended; the next preview starts another one'),
    })
    this.#clock = clock
    this.#log = log
  }

  /**
   * Exchanges the code of a link for a token that is bound to a site and an origin. A code works once.
   * @param tab a random text of the tab, which may send the code again with it
   * @throws PREVIEW_ENDED or UpstreamError
   */
  async exchange(
    publicId: string,
    {code: given, tab}: {readonly code: string; readonly tab: string | undefined},
    origin: string,
  ): Promise<{readonly token: string}> {
    const found = await this.#ofLink(publicId, (one) => !one.isForReports && isSameSecret(one.code, given))
    this.#requireTime(found)
    if (this.#clock() > found.linkExpiresAt) throw new errors.PREVIEW_ENDED(LINK_OVER)
    const used = this.#used.get(found.id)
    // The response to the same tab may have been lost.
    const isAgain = used?.tab !== undefined && tab !== undefined && isSameSecret(used.tab, tab)
    if (used !== undefined && !isAgain) throw new errors.PREVIEW_ENDED(LINK_USED)
    this.#used.set(found.id, {tab})
    this.#opened.set(found.id, origin)
    // The page asks for its drafts next: starting the thread and reading the site takes a moment.
    this.#ask({kind: 'page', publicId, release: found.release?.name, path: '/'}).catch(() => {})
    return {token: seal(found, publicId, {origin})}
  }

  /**
   * Says on which origin a page has used a link. It does not use the link.
   * @param given the code of the link
   * @throws PREVIEW_ENDED or UpstreamError
   */
  async opened(publicId: string, given: string): Promise<{readonly origin?: string}> {
    const found = await this.#ofLink(publicId, ({code}) => isSameSecret(code, given))
    const origin = this.#opened.get(found.id)
    return origin === undefined ? {} : {origin}
  }

  /**
   * Checks the code with which Studio reads reports. The code of a link does not do: scripts of the page see it.
   * @throws PREVIEW_ENDED or UpstreamError
   */
  async requireCode(publicId: string, given: string): Promise<void> {
    this.#requireTime(
      await this.#ofLink(publicId, (one) => one.isForReports && isSameSecret(one.code, given)),
    )
  }

  /**
   * Returns a page with all drafts of its site applied. Undefined: no site has this public ID; without a body: the client has
   * it already.
   * @param isHeld whether the client has the response with an entity tag.
   * @throws PREVIEW_ENDED, PREVIEW_NOT_LOADED or UpstreamError
   */
  async page(
    publicId: string,
    token: string,
    caller: Caller,
    path: string,
    isHeld: (entityTag: string) => boolean,
  ): Promise<{readonly entityTag: string; readonly body?: string} | undefined> {
    const {found, origin} = await this.#unseal(publicId, token)
    if (!isFrom(caller, origin)) throw new errors.PREVIEW_ENDED(OTHER_ORIGIN)
    this.#requireTime(found)
    this.#opened.set(found.id, origin)
    const {id, studioUrl, expiresAt} = found
    const linkTag = hash('sha1', JSON.stringify([id, studioUrl, expiresAt]), 'base64url')
    const {report} = await this.#ask({kind: 'page', publicId, release: found.release?.name, path})
    if (report === undefined) return undefined
    const entityTag = `"${report.tag}.${linkTag}"`
    return isHeld(entityTag) ? {entityTag} : {entityTag, body: bodyOf(publicId, found, report)}
  }

  /**
   * Returns a script of a draft as a module. Undefined: no tool has this script any more.
   * @throws PREVIEW_ENDED, PREVIEW_NOT_LOADED or UpstreamError
   */
  async module(publicId: string, ticket: string, script: ScriptName): Promise<string | undefined> {
    const {found} = await this.#unseal(publicId, ticket, script)
    this.#requireTime(found)
    const {module} = await this.#ask({kind: 'module', publicId, release: found.release?.name, script})
    return module
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  /** What a token says, or the ticket of a script, with the secret that it was made with. */
  async #unseal(publicId: string, text: string, script?: ScriptName) {
    const sealed = parseSealed(text)
    const found = sealed && (await this.#find(publicId, ({id}) => id === sealed.secretId))
    if (!found || !isSealed(found, publicId, script ?? {origin: sealed.origin}, sealed))
      throw new errors.PREVIEW_ENDED(TOKEN_INVALID)
    return {found, origin: sealed.origin}
  }

  async #ofLink(publicId: string, isWanted: (secret: PreviewSecret) => boolean): Promise<PreviewSecret> {
    const found = await this.#find(publicId, isWanted)
    if (found === undefined) throw new errors.PREVIEW_ENDED(LINK_INVALID)
    return found
  }

  #requireTime({expiresAt}: PreviewSecret): void {
    if (this.#clock() > expiresAt) throw new errors.PREVIEW_ENDED(TIME_OVER)
  }

  #find(publicId: string, isWanted: (secret: PreviewSecret) => boolean): Promise<PreviewSecret | undefined> {
    return this.#logging(publicId, this.#secrets.find(publicId, isWanted))
  }

  #ask(question: DraftsQuestion): Promise<DraftsAnswer> {
    return this.#logging(question.publicId, this.#answerTo(question))
  }

  async #answerTo(question: DraftsQuestion): Promise<DraftsAnswer> {
    const answer = await this.#thread.ask(question).catch((error: unknown) => {
      throw new BusyError(error instanceof TooSlow ? 'A preview takes too long.' : messagesIn(error))
    })
    if (answer.failure) throw new PreviewError(answer.failure.shown, answer.failure.reason)
    return answer
  }

  /** Logs a failure, once a minute for each site: each open tab causes one every few seconds. */
  async #logging<T>(publicId: string, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (this.#isDue(publicId)) {
        const reason = error instanceof PreviewError ? error.reason : messagesIn(error)
        this.#log.warn({publicId, reason}, 'cannot read drafts for a preview')
      }
      throw error
    }
  }
}

const AGAIN = 'Open the page again from Studio.'
const LINK_INVALID = `This preview link is not valid here, or its time is over. ${AGAIN}`
const LINK_OVER = 'The time of this preview link is over. Open the page from Studio again.'
const LINK_USED = 'This preview link was already used. Open the page from Studio again.'
const TOKEN_INVALID = `This preview was ended, or is not valid here. ${AGAIN}`
const OTHER_ORIGIN = `This preview belongs to another website address. ${AGAIN}`
const TIME_OVER = `The time of this preview is over. ${AGAIN}`

/** A GET from a page of the service's own origin has no `Origin` (Fetch §3.2): then, its host counts. */
function isFrom(caller: Caller, origin: string): boolean {
  return caller.origin === undefined ? caller.host === new URL(origin).host : caller.origin === origin
}

/** The body of the response for a page, which has the tickets and links of one secret. */
function bodyOf(publicId: string, found: PreviewSecret, {members, scripts}: PageReport): string {
  const {id, expiresAt, studioUrl, release} = found
  const modules = scripts.map(({toolId, revision}) => {
    const ticket = seal(found, publicId, {toolId, revision})
    return [toolId, `api/sites/${publicId}/preview/scripts/${ticket}/${toolId}/${revision}.js`]
  })
  const head = JSON.stringify({
    expiresAt: new Date(expiresAt).toISOString(),
    preview: id,
    studioUrl,
    release: release?.title,
    modules: Object.fromEntries(modules),
  })
  return `${head.slice(0, -1)},${members}}`
}
