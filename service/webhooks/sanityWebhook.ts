import type {IncomingHttpHeaders} from 'node:http'
import {SIGNATURE_HEADER_NAME} from '@sanity/webhook'
import {LRUCache} from 'lru-cache'
import type {Announced, Announcement} from '../cache/expectedRevisions.ts'
import {errors} from '../errors.ts'
import type {ServiceSettings} from '../settings.ts'
import {parseChange} from './change.ts'
import {verifySignature} from './signature.ts'

/** What came of a delivery that was taken: the body of the answer. */
export type Taken = Announced & {ignored?: string}

export type SanityWebhookOptions = {
  secret: string
  /** The content that is served. */
  content: Pick<ServiceSettings, 'projectId' | 'dataset'>
  sites: {announce(announcement: Announcement): Announced}
  /** Milliseconds since 1970. */
  clock: () => number
}

/**
 * Names of deliveries that are remembered, two for each. A signature is good for ten minutes, and Sanity sends one
 * delivery at a time: to forget one of them sooner, there would have to be forty in each second.
 */
const REMEMBERED = 50_000

/** Characters of an idempotency key: Sanity's have 36. */
const MAX_KEY_LENGTH = 255

/** What Sanity sends when a document changes, taken at most once. https://www.sanity.io/docs/webhooks */
export class SanityWebhook {
  readonly #options: SanityWebhookOptions
  readonly #taken = new LRUCache<string, true>({max: REMEMBERED})

  constructor(options: SanityWebhookOptions) {
    this.#options = options
  }

  /**
   * Purges the sites that a delivery tells of, as far as they are cached.
   * @param body as it was received.
   * @throws a coded error that says what is wrong. Nothing was purged then, and the delivery may come again.
   */
  async take(headers: IncomingHttpHeaders, body: string): Promise<Taken> {
    const {secret, sites, clock} = this.#options
    const signature = await verifySignature(headerOf(headers, SIGNATURE_HEADER_NAME), body, secret, clock())
    const key = requiredHeader(headers, 'idempotency-key')
    if (key.length > MAX_KEY_LENGTH)
      throw new errors.WEBHOOK_NOT_UNDERSTOOD(`idempotency-key has more than ${MAX_KEY_LENGTH} characters.`)
    // The key names a delivery that Sanity sends again, signed anew. It is not signed itself, so whoever recorded a
    // delivery could send it under another one: they cannot change the signature.
    const names = [`key ${key}`, `signature ${signature}`]
    if (names.some((name) => this.#taken.has(name))) throw new errors.WEBHOOK_REPLAYED()
    this.#requireOurContent(headers)
    const change = parseChange(body, headerOf(headers, 'sanity-operation'))

    const taken: Taken =
      'ignored' in change
        ? {purged: [], current: [], ignored: change.ignored}
        : sites.announce(change.announcement)
    // Only now: what failed on our side is sent again, and must be taken then.
    for (const name of names) this.#taken.set(name, true)
    return taken
  }

  /** The headers are not signed: this finds a mistake in the set-up, not an attacker. */
  #requireOurContent(headers: IncomingHttpHeaders): void {
    const {projectId, dataset} = this.#options.content
    const [theirProject, theirDataset] = [
      requiredHeader(headers, 'sanity-project-id'),
      requiredHeader(headers, 'sanity-dataset'),
    ]
    if (theirProject !== projectId) throw new errors.WEBHOOK_MISDIRECTED('project', projectId)
    if (theirDataset !== dataset) throw new errors.WEBHOOK_MISDIRECTED('dataset', dataset)
  }
}

function requiredHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headerOf(headers, name)
  if (value === undefined || value === '') throw new errors.WEBHOOK_NOT_UNDERSTOOD(`${name} is missing.`)
  return value
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
