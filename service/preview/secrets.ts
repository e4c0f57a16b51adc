import timers from 'node:timers/promises'
import type {SanityClient} from '@sanity/client'
import {SECRET_TTL, schemaType, tag} from '@sanity/preview-url-secret/constants'
import {bulkhead} from 'cockatiel'
import {LRUCache} from 'lru-cache'
import {isJsonObject} from '../../common/json.ts'
import {withDeadline} from '../../common/timeout.ts'
import {LINK_MINUTES, previewSourceOf, REPORTS_OWNER} from '../../schemas/preview.ts'
import {BusyError, UpstreamError} from '../errors.ts'

/**
 * A secret that Studio made for previews of one site, as a document of Sanity's protocol, with a code of our own
 * (https://github.com/sanity-io/visual-editing/tree/main/packages/preview-url-secret).
 */
export type PreviewSecret = {
  /** The id of its document, without `drafts.`. */
  readonly id: string
  /** Signs tokens and tickets. It is in no link. */
  readonly secret: string
  /** What a link has: it is exchanged for a token once. */
  readonly code: string
  /** Milliseconds since 1970, after which the code cannot be exchanged any more. */
  readonly linkExpiresAt: number
  /** Milliseconds since 1970. Studio moves it by changing the document, and ends a preview by deleting it. */
  readonly expiresAt: number
  /** Whether it is for reading reports of the site, and in no link. */
  readonly isForReports: boolean
  /** Where Studio is. Undefined: unknown. */
  readonly studioUrl: string | undefined
  /** The release that the preview shows in place of drafts. */
  readonly release: {readonly name: string; readonly title: string} | undefined
}

/**
 * How long the secrets of a site are remembered, in milliseconds: the time after which an ended preview shows no
 * drafts, while upstream responds in less.
 */
const FRESH = 1_000

/** Minimum milliseconds between two queries for secrets that are missing: Studio may just have made them. */
const SPACING_IF_MISSING = 100

/** Maximum sites whose secrets are remembered. */
const MAX_SITES = 1_000

/** Maximum secrets of a site. Every link that Studio makes has one, and they last for an hour. */
const MAX_SECRETS = 200

/** Maximum concurrent and waiting queries, and the timeout of each in milliseconds. */
const AT_ONCE = 16
const WAITING = 256
const TIMEOUT = 3_000

/**
 * The secrets are queried by site and compared here: a guessed or stolen one never gets into a URL, and guesses cost
 * at most ten queries per second and site.
 */
const query = `*[_type == $type && source == $source && _id in path("drafts.*")]
  | order(_updatedAt desc)[0...${MAX_SECRETS}]{_id, _createdAt, _updatedAt, secret, code, studioUrl, userId, release}`

/** The secrets of a site, and when they were queried in milliseconds of `#now`. */
type Known = {readonly at: number; readonly secrets: readonly PreviewSecret[]}

/** Reads the secrets of previews from the Content Lake. */
export class PreviewSecrets {
  readonly #client: SanityClient
  readonly #clock: () => number
  readonly #now: () => number
  readonly #timeout: number
  /** One query for a site at a time. */
  readonly #known: LRUCache<string, Known>
  readonly #bulkhead = bulkhead(AT_ONCE, WAITING)

  /**
   * @param client may read drafts.
   * @param clock milliseconds since 1970
   * @param now milliseconds of a clock that is never set.
   * @param timeout see `TIMEOUT`
   */
  constructor(client: SanityClient, clock: () => number, now = () => performance.now(), timeout = TIMEOUT) {
    this.#client = client
    this.#clock = clock
    this.#timeout = timeout
    this.#now = now
    this.#known = new LRUCache<string, Known>({
      max: MAX_SITES,
      ttl: FRESH,
      ttlResolution: 0,
      perf: {now},
      fetchMethod: (publicId) => this.#query(publicId),
    })
  }

  /**
   * Finds a secret of a site, which may be one whose time is over.
   * @throws UpstreamError if upstream returns no usable response.
   */
  async find(
    publicId: string,
    isWanted: (secret: PreviewSecret) => boolean,
  ): Promise<PreviewSecret | undefined> {
    const askedAt = this.#now()
    for (let forceRefresh = false; ; forceRefresh = true) {
      const {at = askedAt, secrets = []} = (await this.#known.fetch(publicId, {forceRefresh})) ?? {}
      const found = secrets.find(isWanted)
      if (found !== undefined || at >= askedAt) return found
      await timers.setTimeout(SPACING_IF_MISSING)
    }
  }

  async #query(publicId: string): Promise<Known> {
    const {executionSlots, queueSlots} = this.#bulkhead
    if (executionSlots === 0 && queueSlots === 0)
      throw new BusyError('Too many previews are checked at the same time.')
    return this.#bulkhead.execute(async () => ({at: this.#now(), secrets: await this.#fetch(publicId)}))
  }

  async #fetch(publicId: string): Promise<readonly PreviewSecret[]> {
    try {
      const params = {type: schemaType, source: previewSourceOf(publicId)}
      const found = await withDeadline(this.#timeout, (signal) =>
        this.#client.fetch<unknown>(query, params, {perspective: 'raw', tag, signal}),
      )
      if (!Array.isArray(found)) throw new Error('it is not a list')
      return found.flatMap((document) => parseSecret(document, this.#clock()) ?? [])
    } catch (error) {
      throw new UpstreamError('The content lake returned no secrets of previews.', {cause: error})
    }
  }
}

/** How far the clock of the Content Lake may be ahead, in milliseconds. */
const MAX_AHEAD = 300_000

/** Accepts ids as Sanity's protocol makes them, and secrets and codes that are too long to guess. */
function parseSecret(document: unknown, now: number): PreviewSecret | undefined {
  if (!isJsonObject(document)) return undefined
  const {_id, _createdAt, _updatedAt, secret, code, studioUrl, userId, release} = document
  const [, id] = /^drafts\.([A-Za-z0-9-]{1,40})$/.exec(String(_id)) ?? []
  const updatedAt = Date.parse(String(_updatedAt))
  const expiresAt = updatedAt + SECRET_TTL * 1_000
  const createdAt = Date.parse(String(_createdAt))
  const linkExpiresAt = createdAt + LINK_MINUTES * 60_000
  if (id === undefined || Number.isNaN(expiresAt) || Number.isNaN(linkExpiresAt)) return undefined
  // Made while a clock was ahead, or by an import: it would work for as much longer.
  if (Math.max(createdAt, updatedAt) > now + MAX_AHEAD) return undefined
  if (!isLong(secret) || !isLong(code)) return undefined
  const isForReports = userId === REPORTS_OWNER
  const known = {id, secret, code, linkExpiresAt, expiresAt, isForReports}
  return {...known, studioUrl: httpUrl(studioUrl), release: releaseIn(release)}
}

function releaseIn(value: unknown): PreviewSecret['release'] {
  if (!isJsonObject(value) || typeof value.title !== 'string') return undefined
  const {name, title} = value
  return typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name) ? {name, title} : undefined
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 20
}

function httpUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  return /^https?:$/.test(new URL(value).protocol) ? value : undefined
}
