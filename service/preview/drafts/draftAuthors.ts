import {LRUCache} from 'lru-cache'
import {withDeadline} from '../../../common/timeout.ts'
import type {StoredDocument} from '../../../schemas/diagnosis/documents.ts'
import {isRecord} from '../../../schemas/rules/json.ts'
import {textOf} from '../../../schemas/rules/text.ts'

/** Milliseconds that all requests about one state of a site may take: the page waits for them. */
const TIMEOUT = 1_000

/** Maximum drafts of a site whose authors are requested. */
const MAX_DRAFTS = 20

/** Maximum length of a name. */
const MAX_NAME = 200

/** What is needed of `SanityClient`. */
type HistoryClient = {
  config(): {readonly dataset?: string | undefined}
  request(options: {
    readonly uri: string
    readonly query?: Record<string, string>
    readonly signal: AbortSignal
  }): Promise<unknown>
}

/**
 * Finds out who changed drafts last, from the history. A name is unknown if the content lake does not have it, or does
 * not say it in time: a preview works without.
 */
export class DraftAuthors {
  readonly #client: HistoryClient
  /** By id and revision; an empty name is unknown. */
  readonly #names = new LRUCache<string, string>({max: 1_000})

  /** @param client may read drafts and their history. */
  constructor(client: HistoryClient) {
    this.#client = client
  }

  /** Returns the names of those who changed drafts last, by the id of the draft. */
  async of(drafts: readonly StoredDocument[]): Promise<ReadonlyMap<string, string>> {
    const asked = drafts.slice(0, MAX_DRAFTS)
    await withDeadline(TIMEOUT, (signal) =>
      Promise.all(asked.map((draft) => this.#find(draft, signal))),
    ).catch(() => {})
    const names = new Map<string, string>()
    for (const draft of asked) {
      const name = this.#names.get(keyOf(draft))
      if (name) names.set(draft._id, name)
    }
    return names
  }

  async #find(draft: StoredDocument, signal: AbortSignal): Promise<void> {
    const key = keyOf(draft)
    if (this.#names.has(key)) return
    const {dataset = ''} = this.#client.config()
    const query = {excludeContent: 'true', reverse: 'true', limit: '1'}
    const uri = `/data/history/${dataset}/transactions/${encodeURIComponent(draft._id)}`
    const author = textOf(memberOf(await this.#client.request({uri, query, signal}), 'author'))
    const user = author && (await this.#client.request({uri: `/users/${encodeURIComponent(author)}`, signal}))
    this.#names.set(key, textOf(memberOf(user, 'displayName')).slice(0, MAX_NAME))
  }
}

function keyOf({_id, _rev}: StoredDocument): string {
  return `${_id} ${_rev}`
}

/** A member of a response: JSON, or one line of JSON that the client returns as text. */
function memberOf(response: unknown, name: string): unknown {
  const value: unknown = typeof response === 'string' && response !== '' ? JSON.parse(response) : response
  return isRecord(value) ? value[name] : undefined
}
