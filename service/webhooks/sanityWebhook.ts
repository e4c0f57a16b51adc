import type {IncomingHttpHeaders} from 'node:http'
import {SIGNATURE_HEADER_NAME} from '@sanity/webhook'
import {LRUCache} from 'lru-cache'
import {isJsonObject, jsonIn} from '../../common/json.ts'
import {errors} from '../errors.ts'
import type {ServiceSettings} from '../settings.ts'
import {verifySignature} from './signature.ts'

/** The result of an accepted delivery, the response body: upstream is asked what changed, or nothing that is served did. */
type Taken = {readonly result: 'asking' | 'ignored'}

/** https://www.sanity.io/docs/content-lake/ids: unpublished documents carry a prefix. */
const UNPUBLISHED = /^(drafts|versions)\./

type SanityWebhookOptions = {
  /** One of them signs a delivery. */
  readonly secrets: readonly string[]
  /** The content that the service serves. */
  readonly content: Pick<ServiceSettings, 'projectId' | 'dataset'>
  /** Called for a change of published content. */
  readonly onChange: () => void
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Maximum names of deliveries to remember, two for each delivery. A signature is valid for ten minutes, and
 * Sanity sends one delivery at a time. To evict a name before its signature expires would take forty
 * deliveries per second.
 */
const REMEMBERED = 50_000

/** Maximum length of an idempotency key. Sanity's have 36 characters. */
const MAX_KEY_LENGTH = 255

/** Handles Sanity's webhook deliveries, each at most once. https://www.sanity.io/docs/webhooks */
export class SanityWebhook {
  readonly #options: SanityWebhookOptions
  readonly #taken = new LRUCache<string, true>({max: REMEMBERED})

  constructor(options: SanityWebhookOptions) {
    this.#options = options
  }

  /**
   * Reports a change. What changed is asked upstream, so nothing in the body is served.
   * @param body as received.
   * @throws a coded error that describes the problem. In this case nothing was reported, and the delivery
   * may be retried.
   */
  async take(headers: IncomingHttpHeaders, body: string): Promise<Taken> {
    const {secrets, onChange, clock} = this.#options
    const [first, ...others] = secrets.map((secret) =>
      verifySignature(headerOf(headers, SIGNATURE_HEADER_NAME), body, secret, clock()),
    )
    const signature = await Promise.any([first, ...others]).catch(() => first)
    const key = requiredHeader(headers, 'idempotency-key')
    if (key.length > MAX_KEY_LENGTH)
      throw new errors.WEBHOOK_NOT_UNDERSTOOD(`idempotency-key has more than ${MAX_KEY_LENGTH} characters.`)
    // Sanity retries a delivery with the same key and a new signature. The key itself is not signed, so an
    // attacker could replay a recorded delivery with another key, but not with another signature.
    const names = [`key ${key}`, `signature ${signature}`]
    if (names.some((name) => this.#taken.has(name))) throw new errors.WEBHOOK_REPLAYED()
    this.#requireOurContent(headers)
    const document = jsonIn(body)
    const isUnpublished = isJsonObject(document) && UNPUBLISHED.test(String(document._id))
    if (!isUnpublished) onChange()
    // Remember the delivery only now. If we failed, Sanity retries it, and the retry must be accepted.
    for (const name of names) this.#taken.set(name, true)
    return {result: isUnpublished ? 'ignored' : 'asking'}
  }

  /** Detects a wrong configuration, not an attack: the headers are not signed. */
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
