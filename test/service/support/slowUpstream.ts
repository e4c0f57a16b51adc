import type {MockTimers} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {createClient, type SanityClient} from '@sanity/client'
import {type KnownSite, Sites} from '../../../service/cache/sites.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {UpstreamCircuitBreaker} from '../../../service/upstream/circuitBreaker.ts'
import {createSiteSource} from '../../../service/upstream/source.ts'
import {IS_DEEP} from '../../runner/runs.ts'
import {StandInUpstream} from './standInUpstream.ts'

/** A query as it arrives, without `handrail.` in its tag. */
export type Query = {
  readonly tag: string
  readonly params: Readonly<Record<string, unknown>>
  /** The public IDs that it is about. */
  readonly publicIds: readonly string[]
}

/** Milliseconds of each step of time, and turns of the event loop within which its consequences happen. */
const STEP = 200
const TURNS = 6

/** How long upstream needs for a query unless a test says otherwise, in milliseconds. */
const QUICK = 20

/** How long a query takes that is slow, in milliseconds. */
const DELAYS = IS_DEEP ? [100, 1_000, 4_000, 10_000] : [1_000, 10_000]

/**
 * How long upstream takes, and for which sites, by their numbers.
 * @param one the numbers of the sites that stand for one
 */
export const troublesWith = (...one: number[]) =>
  DELAYS.flatMap((milliseconds) => [
    {milliseconds, share: 'one site', isSlow: (number: number) => one.includes(number)},
    ...(IS_DEEP
      ? [{milliseconds, share: 'a tenth of the sites', isSlow: (number: number) => number % 10 === 0}]
      : []),
    {milliseconds, share: 'all sites', isSlow: () => true},
  ])

/** Milliseconds between two calls of `keepFresh`. */
const KEEP_FRESH_EVERY = 5_000

/** An upstream whose responses take time, and a client of it. No time passes but that of the test's timers. */
export class SlowUpstream {
  readonly queries: Query[] = []
  /** How long the response to a query takes, in milliseconds. */
  delay: (query: Query) => number = () => QUICK
  /** Queries that were sent while the same one was in flight. */
  readonly repeated: Query[] = []
  readonly client: SanityClient
  now = 0
  readonly #timers: MockTimers
  readonly #inFlight = new Set<string>()

  /**
   * @param timers are enabled, and reset with the test.
   * @param bodyFor the response to a query.
   */
  constructor(timers: MockTimers, bodyFor: (query: Query) => object) {
    timers.enable({apis: ['setTimeout']})
    this.#timers = timers
    this.client = createClient({
      projectId: 'local',
      dataset: 'production',
      apiVersion: '2025-02-19',
      useCdn: false,
      useProjectHostname: false,
      apiHost: 'http://127.0.0.1:1',
      requestTagPrefix: 'handrail',
      maxRetries: 0,
      timeout: 0,
      resolveFetch:
        () =>
        async (url, {body, signal} = {}) => {
          const query = readQuery(String(url), body)
          await this.#respond(query, signal)
          return Response.json(bodyFor(query))
        },
    })
  }

  /** Lets time pass. */
  async pass(milliseconds: number, eachStep: () => void = () => {}): Promise<void> {
    for (const end = this.now + milliseconds; this.now < end; ) {
      this.now += STEP
      this.#timers.tick(STEP)
      eachStep()
      for (let turn = 0; turn < TURNS; turn++) await setImmediate()
    }
  }

  async #respond(query: Query, signal: AbortSignal | null | undefined): Promise<void> {
    const key = JSON.stringify([query.tag, query.publicIds])
    this.queries.push(query)
    if (this.#inFlight.has(key)) this.repeated.push(query)
    this.#inFlight.add(key)
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, this.delay(query)) // of the test's time
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason)
        })
      })
    } finally {
      this.#inFlight.delete(key)
    }
  }
}

function readQuery(url: string, body: unknown): Query {
  const {searchParams} = new URL(url)
  const sent = typeof body === 'string' ? JSON.parse(body).params : undefined
  const inUrl = [...searchParams].flatMap(([name, value]) =>
    name.startsWith('$') ? [[name.slice(1), JSON.parse(value)]] : [],
  )
  const params: Record<string, unknown> = sent ?? Object.fromEntries(inUrl)
  const {publicIds = [params.publicId ?? params.siteId ?? params.source].filter(Boolean)} = params
  const tag = searchParams.get('tag')?.replace('handrail.', '') ?? ''
  return {tag, params, publicIds: Array.isArray(publicIds) ? publicIds.map(String) : []}
}

/**
 * Sites of one tool each, of which the first ones are cached.
 * @param isLive whether live events arrive.
 */
export async function slowSites(
  timers: MockTimers,
  {warm, all, isLive = false}: {warm: number; all: number; isLive?: boolean},
) {
  const content = new StandInUpstream()
  for (let number = 0; number < all; number++) {
    content.put(`site-${number}`, {_type: 'site', publicId: `public-${number}`})
    content.put(`tool-${number}`, {siteId: `site-${number}`, description: 'Old.'})
  }
  const began = content.time
  const upstream = new SlowUpstream(timers, ({tag, params}) => content.bodyFor(tag, params))
  const now = () => upstream.now
  const events = createServiceEvents()
  const breaker = new UpstreamCircuitBreaker(events, {now})
  const sites = new Sites({
    source: createSiteSource(upstream.client, breaker),
    breaker,
    snapshots: {has: () => false, read: () => undefined, keep: () => true, remove() {}},
    events,
    maxBytes: 2 ** 28,
    clock: () => began + upstream.now,
    now,
  })
  const {revalidation} = sites
  if (isLive) {
    content.onEvent = () => revalidation.changed()
    revalidation.setConnected(true)
  }
  const visited = Array.from({length: warm}, (_, number) => `public-${number}`)
  const first = Promise.all(visited.map((publicId) => sites.get(publicId)))
  await upstream.pass(Math.max(1_000, warm * 3))
  await first
  upstream.queries.length = 0
  let due = 0
  return {
    content,
    upstream,
    sites,
    breaker,
    /** Lets time pass in which the service does what is due. */
    pass: (milliseconds: number, eachStep: () => void = () => {}) =>
      upstream.pass(milliseconds, () => {
        content.time = began + upstream.now
        if (upstream.now >= due) {
          due = upstream.now + KEEP_FRESH_EVERY
          if (isLive) revalidation.signOfLife()
          void revalidation.keepFresh()
        }
        eachStep()
      }),
    /** Seconds since upstream confirmed a site that is fresh, and its description. */
    async seen(publicId: string) {
      const known = await sites.get(publicId)
      return {age: (began + upstream.now - known.validatedAt) / 1_000, description: descriptionOf(known)}
    },
  }
}

/** The description of a site's only tool. */
export function descriptionOf({site}: KnownSite): string {
  const [tool = '{}'] = site?.texts.tools() ?? []
  return String(JSON.parse(tool).description)
}
