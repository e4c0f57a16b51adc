import {hash} from 'node:crypto'
import {LRUCache} from 'lru-cache'
import {withDeadline} from '../../../common/timeout.ts'
import type {StoredDocument, Versions} from '../../../schemas/documents.ts'
import {isRecord} from '../../../schemas/record.ts'
import {textOf} from '../../../schemas/rules/text.ts'

/** Milliseconds that all requests about one state of a site may take: the page waits for them. */
const TIMEOUT = 1_000

/** Maximum drafts of a site whose authors are requested, and transactions of each. */
const MAX_DRAFTS = 50
const MAX_TRANSACTIONS = 50

/** How long an answer is remembered, in milliseconds: rights change, and nothing says so. */
const FRESH = 60_000

/** Maximum length of a name. */
const MAX_NAME = 200

/** What is needed of `SanityClient`. */
type HistoryClient = {
  config(): {readonly dataset?: string | undefined}
  request(options: {
    readonly url: string
    readonly query?: Record<string, string>
    readonly signal: AbortSignal
  }): Promise<unknown>
}

/** Who wrote a draft. */
export type DraftAuthor = {
  /** Who changed it last; empty if that is not known. */
  readonly name: string
  /** Whether everyone who changed it since it was last published is known, and may publish it. */
  readonly mayPublish: boolean
}

/**
 * Finds out who wrote drafts, from the history. They are unknown if the content lake does not say it, or not in time: a
 * preview works without. Hosted Sanity says nothing about the rights of a user.
 */
export class DraftAuthors {
  readonly #client: HistoryClient
  /** By a digest of the draft. */
  readonly #known = new LRUCache<string, DraftAuthor>({max: 1_000, ttl: FRESH})

  /** @param client may read drafts and their history. */
  constructor(client: HistoryClient) {
    this.#client = client
  }

  /** Returns those who wrote drafts, as far as they are known, by the id of the draft. */
  async of(siteId: string, versions: Iterable<Versions>): Promise<ReadonlyMap<string, DraftAuthor>> {
    const asked = [...versions]
      .flatMap(({draft, published}) => (draft === undefined ? [] : [{draft, published}]))
      .slice(0, MAX_DRAFTS)
    await withDeadline(TIMEOUT, (signal) =>
      Promise.all(asked.map((pair) => this.#find(siteId, pair, signal).catch(() => {}))),
    ).catch(() => {})
    const authors = new Map<string, DraftAuthor>()
    for (const {draft} of asked) {
      const author = this.#known.get(keyOf(draft))
      if (author !== undefined) authors.set(draft._id, author)
    }
    return authors
  }

  async #find(
    siteId: string,
    {draft, published}: {readonly draft: StoredDocument; readonly published: StoredDocument | undefined},
    signal: AbortSignal,
  ): Promise<void> {
    const key = keyOf(draft)
    if (this.#known.has(key)) return
    const source = sourceOf(draft)
    const own = await this.#history(source, signal)
    const since = Date.parse(textOf(published?._updatedAt))
    const written =
      source === draft._id
        ? authorsIn(own, since)
        : // A version can be a copy of the draft, and is not gone when the document is published.
          [...authorsIn(own), ...authorsIn(await this.#history(draft._id, signal), since)]
    const authors = written.filter((author) => author !== undefined)
    const isWhole = own.length > 0 && authors.length > 0 && authors.length === written.length
    const users = await Promise.all(
      [...new Set(authors)].map((author) =>
        author === ''
          ? undefined
          : this.#client
              .request({url: `/users/${encodeURIComponent(author)}`, signal})
              .catch(() => undefined),
      ),
    )
    const name = isRecord(users[0]) ? textOf(users[0].displayName).slice(0, MAX_NAME) : ''
    this.#known.set(key, {name, mayPublish: isWhole && users.every((user) => mayPublish(user, siteId))})
  }

  async #history(id: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>[]> {
    const {dataset = ''} = this.#client.config()
    const query = {excludeContent: 'true', reverse: 'true', limit: `${MAX_TRANSACTIONS}`}
    const url = `/data/history/${dataset}/transactions/${encodeURIComponent(id)}`
    return linesOf(await this.#client.request({url, query, signal}))
  }
}

/** Whether a user of the lake has a role that publishes on a site. */
function mayPublish(user: unknown, siteId: string): boolean {
  const roles: unknown = isRecord(user) ? user.roles : undefined
  if (!Array.isArray(roles)) return false
  return roles.some((role: unknown) => {
    if (!isRecord(role) || (role.name !== 'publisher' && role.name !== 'administrator')) return false
    return role.sites === 'all' || (Array.isArray(role.sites) && role.sites.includes(siteId))
  })
}

/** The id of the draft, or of the version in a release that is shown in place of it. */
function sourceOf({_id, _originalId}: StoredDocument): string {
  return textOf(_originalId) || _id
}

/** Who wrote the transactions after a time, the latest first; undefined in place of those that were not asked for. */
function authorsIn(
  transactions: readonly Readonly<Record<string, unknown>>[],
  since = Number.NaN,
): (string | undefined)[] {
  const later = transactions.filter(({timestamp}) => !(Date.parse(textOf(timestamp)) <= since))
  const isWhole = later.length < transactions.length || transactions.length < MAX_TRANSACTIONS
  return [...later.map(({author}) => textOf(author)), ...(isWhole ? [] : [undefined])]
}

/** The content is part of it: clients choose revisions. */
function keyOf(draft: StoredDocument): string {
  return hash('sha256', JSON.stringify(draft))
}

/** The objects of a response: JSON, or lines of JSON that the client returns as text. */
function linesOf(response: unknown): Readonly<Record<string, unknown>>[] {
  if (isRecord(response)) return [response]
  const lines = textOf(response).split('\n')
  return lines.flatMap((line) => {
    const value: unknown = line === '' ? undefined : JSON.parse(line)
    return isRecord(value) ? [value] : []
  })
}
