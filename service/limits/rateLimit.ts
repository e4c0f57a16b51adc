import rateLimit, {type FastifyRateLimitStore} from '@fastify/rate-limit'
import type {FastifyInstance, FastifyRequest, onRequestAsyncHookHandler} from 'fastify'
import {onceClosed} from '../../common/http/onceClosed.ts'
import {pathParam} from '../../common/http/pathParam.ts'
import {clientKey} from '../../common/limits/clientKey.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {errors} from '../errors.ts'
import type {ClientOf} from './clients.ts'
import type {SharedCounts} from './sharedCounts.ts'
import {keyOf, rateLimited, WINDOW, type Window, Windows} from './windows.ts'

/**
 * How many requests of a window a replica counts before it reports them to the others, compared with
 * RATE_LIMIT_MAX, and their minimum: most visitors send one request per window, which then costs Redis nothing,
 * and neither does a flood of made-up IDs.
 */
const STEP = 1 / 50
const STEP_AT_LEAST = 2

/** The share of the requests in a window that may name unknown public IDs, and its minimum. */
const UNKNOWN_SHARE = 1 / 10
const UNKNOWN_AT_LEAST = 10

/**
 * Requests for previews of one client in a window, compared with RATE_LIMIT_MAX: a tab asks once a second, and an office may
 * have many tabs behind one address. The same for requests with a wrong secret, token or ticket, and their minimum.
 */
const PREVIEW_SHARE = 10
const FAILED_SHARE = 1 / 20
const FAILED_AT_LEAST = 10

/** Reports of one client for one site in a window, and of all clients for one, compared with RATE_LIMIT_MAX. */
const REPORTS_OF_CLIENT = 1 / 5
const REPORTS_OF_SITE = 20

/** Tells which public IDs are known, without an upstream query. */
export type KnownIds = {isKnown(publicId: string): boolean; hasSite(publicId: string): boolean}

/**
 * Counts each client's requests for each site in a window. This process decides alone, at once. With the counts of
 * all replicas, it reports its own in steps in the background, and learns those of the others: replicas together
 * grant at most one step each beyond the limit, and what arrives during two round trips
 * (docs/decisions/0021-limits-per-client.md).
 */
export class RequestCounts {
  readonly #max: number
  readonly #step: number
  readonly #shared: Pick<SharedCounts, 'add'> | undefined
  readonly #windows = new Windows()

  constructor(max: number, shared?: Pick<SharedCounts, 'add'>) {
    this.#max = max
    this.#step = Math.max(STEP_AT_LEAST, Math.ceil(max * STEP))
    this.#shared = shared
  }

  /**
   * Counts a request of a client for a site, if it is within the limit.
   * @param now the time of `performance.now()`.
   * @returns whether it is.
   */
  admit(publicId: string, client: string, now = performance.now()): boolean {
    const key = keyOf(publicId, client)
    const window = this.#windows.of(key, now)
    if (window.current >= this.#max) return false
    this.#add(key, window)
    return true
  }

  /** Counts a request, also beyond the limit. @param key see `keyOf`. */
  count(key: string): {readonly current: number; readonly ttl: number} {
    const window = this.#windows.of(key)
    this.#add(key, window)
    return {current: window.current, ttl: window.endsAt - performance.now()}
  }

  #add(key: string, window: Window): void {
    window.current += 1
    // Refused requests do not count for other replicas.
    if (window.current - window.reported >= this.#step && window.current <= this.#max)
      this.#shared?.add(key, window)
  }
}

type Hook = onRequestAsyncHookHandler

/** For the option `onRequest` of a route. */
export type Limit = Hook[]

/** Of requests for a site, of previews and people, and of reports by pages. */
export type Limits = {readonly perSite: Limit; readonly previews: Limit; readonly reports: Limit}

/** Creates the hooks that limit requests. Previews and reports count separately from requests for sites. */
export async function rateLimits(
  app: FastifyInstance,
  max: number,
  counts: RequestCounts,
  clientOf: ClientOf,
  sites: KnownIds,
): Promise<Limits> {
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: WINDOW,
    store: storeOf(counts),
    keyGenerator: (request) => keyOf(pathParam(request, 'publicId'), clientOf(request.raw)),
    errorResponseBuilder: (_request, {ttl}) => new errors.RATE_LIMITED(Math.ceil(ttl / 1_000)),
    // A cache would show one client's counters to all others.
    addHeaders: NO_COUNTERS,
    addHeadersOnExceeding: NO_COUNTERS,
  })
  const ofSite = app.rateLimit()
  return {
    perSite: [limitUnknownIds(max, sites), ofSite],
    previews: [limitBy(max * PREVIEW_SHARE, ({ip}) => clientKey(ip)), limitFailures(max)],
    reports: [
      limitUnknownIds(max, sites),
      limitBy(max * REPORTS_OF_CLIENT, (request) =>
        keyOf(pathParam(request, 'publicId'), clientKey(request.ip)),
      ),
      limitBy(max * REPORTS_OF_SITE, (request) => pathParam(request, 'publicId')),
    ],
  }
}

const NO_COUNTERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
}

function storeOf(counts: RequestCounts): new () => FastifyRateLimitStore {
  return class LimitStore implements FastifyRateLimitStore {
    incr(key: string, answer: (error: Error | null, count?: {current: number; ttl: number}) => void): void {
      answer(null, counts.count(key))
    }

    /** No route has a limit of its own in its options. */
    child(): FastifyRateLimitStore {
      return this
    }
  }
}

/** Limits requests by a key, in this replica. */
function limitBy(max: number, keyOf: (request: FastifyRequest) => string): Hook {
  const windows = new Windows()
  return async (request, reply) => {
    const window = windows.add(keyOf(request))
    if (window.current > max) throw rateLimited(reply, window)
  }
}

/**
 * Limits how many public IDs one client may make up. Each costs an upstream query, and each has its own
 * counter, so the limit per site never applies. Only IDs that turn out to be unknown count. Known sites are always
 * served, and requests for a deleted site cost nothing.
 */
function limitUnknownIds(limit: number, sites: KnownIds): Hook {
  const max = Math.max(UNKNOWN_AT_LEAST, Math.ceil(limit * UNKNOWN_SHARE))
  const windows = new Windows()
  return async (request, reply) => {
    const publicId = pathParam(request, 'publicId')
    if (sites.isKnown(publicId) || !parsePublicId(publicId).ok) return
    const client = clientKey(request.ip)
    const window = windows.add(client)
    const isOver = window.current > max
    const {raw} = reply
    raw.once('close', () => {
      // The query was sent even if the client disconnects before the response.
      const isOurFault = raw.writableFinished && raw.statusCode >= 500
      const current = windows.of(client)
      if (isOver || isOurFault || sites.hasSite(publicId)) current.current = Math.max(0, current.current - 1)
    })
    if (isOver) throw rateLimited(reply, window)
  }
}

/** Limits requests with a wrong secret, token or ticket. */
function limitFailures(limit: number): Hook {
  const max = Math.max(FAILED_AT_LEAST, Math.ceil(limit * FAILED_SHARE))
  const windows = new Windows()
  return async (request, reply) => {
    const client = clientKey(request.ip)
    const failed = windows.of(client)
    if (failed.current >= max) throw rateLimited(reply, failed)
    onceClosed(reply.raw, () => {
      if (reply.raw.statusCode === 401) windows.add(client)
    })
  }
}
