import {type Document, isDocument} from '../document.ts'
import type {Row, State} from '../state/state.ts'

/**
 * What a transaction did to one draft: `before` is missing if it created the draft, `after` if it removed it.
 */
export type Step = {
  readonly id: string
  readonly timestamp: string
  readonly author: string
  /** Identifies the request that made it. */
  readonly request?: string | undefined
  readonly before?: Document | undefined
  readonly after?: Document | undefined
}

export type Bounds = {
  /** Maximum steps of one draft. */
  readonly perDraft: number
  /** Maximum bytes of JSON in total. */
  readonly inAll: number
}

const USUAL_BOUNDS: Bounds = {perDraft: 200, inAll: 20 * 1024 * 1024}

/** What a request did to a draft, without its contents. */
type DraftChange = {
  readonly draft: string
  readonly transactionId: string
  readonly request: string
  readonly operation: 'create' | 'update' | 'delete'
}

/** How much is kept when there is too much, so that not every step has to search for the oldest one. */
const REMAINDER = 0.9

/** The last steps of every draft, within limits. */
export class DraftSteps {
  readonly #state: State
  readonly #bounds: Bounds
  #size: number | undefined

  constructor(state: State, bounds = USUAL_BOUNDS) {
    this.#state = state
    this.#bounds = bounds
  }

  /** The steps of a draft, the oldest first. @throws StateError */
  of(draft: string): readonly Step[] {
    const rows = this.#state.all('SELECT * FROM draft_step WHERE draft = ? ORDER BY number', draft)
    let last: Document | undefined
    return rows.map(({transaction_id, timestamp, author, ...row}) => {
      const before = row.before === null ? last : parse(row.before)
      last = parse(row.after)
      return {
        id: String(transaction_id),
        timestamp: String(timestamp),
        author: String(author),
        before,
        after: last,
      }
    })
  }

  /** The last steps that requests made, the oldest first. @throws StateError */
  latest(limit: number): readonly DraftChange[] {
    const rows = this.#state.all(
      `SELECT draft, transaction_id, request, is_edit, after IS NULL AS is_end
       FROM draft_step WHERE request IS NOT NULL ORDER BY number DESC LIMIT ?`,
      limit,
    )
    return rows.reverse().map(({draft, transaction_id, request, is_edit, is_end}) => ({
      draft: String(draft),
      transactionId: String(transaction_id),
      request: String(request),
      operation: is_end === 1 ? 'delete' : is_edit === 1 ? 'update' : 'create',
    }))
  }

  /**
   * Adds the latest step of a draft, within a transaction of the state.
   * @param text the JSON of `after`
   * @throws StateError
   */
  add(draft: string, {id, timestamp, author, request, before, after}: Step, text = textOf(after)): void {
    const {size} = this
    const last = this.#state.get(
      'SELECT revision FROM draft_step WHERE draft = ? ORDER BY number DESC LIMIT 1',
      draft,
    )
    const isKnown = (last?.revision ?? undefined) === before?._rev
    this.#state.run(
      `INSERT INTO draft_step (draft, transaction_id, timestamp, author, before, after, revision, is_edit, request)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      draft,
      id,
      timestamp,
      author,
      isKnown ? null : (textOf(before) ?? 'null'),
      text ?? null,
      after?._rev ?? null,
      before !== undefined && after !== undefined ? 1 : 0,
      request ?? null,
    )
    this.#size = size + (text === undefined ? 0 : Buffer.byteLength(text))
    const count = this.#state.get('SELECT count(*) AS count FROM draft_step WHERE draft = ?', draft)?.count
    if (Number(count) > this.#bounds.perDraft) this.#thin(draft)
    if (this.#size > this.#bounds.inAll) this.#forgetOldest()
  }

  /** Bytes of all steps. */
  get size(): number {
    this.#size ??= Number(this.#state.get('SELECT total(octet_length(after)) AS size FROM draft_step')?.size)
    return this.#size
  }

  /** Counts again, after a transaction was rolled back. */
  recount(): void {
    this.#size = undefined
  }

  /**
   * Makes room for one step. A person who types makes two steps a second, so this merges the oldest two steps within one
   * minute. It drops the oldest step only if there are none, so that a long editing session keeps its beginning.
   */
  #thin(draft: string): void {
    const rows = this.#state.all(
      `SELECT number, author, substr(timestamp, 1, 16) AS minute, revision, is_edit
       FROM draft_step WHERE draft = ? ORDER BY number`,
      draft,
    )
    const index = rows.findIndex(({is_edit, author, minute}, at) => {
      const next = rows[at + 1]
      const isOneEdit = is_edit === 1 && next !== undefined && next.revision !== null
      return isOneEdit && next.author === author && next.minute === minute
    })
    const [step, next] = rows.slice(Math.max(index, 0))
    if (step === undefined || next === undefined) return
    const before = '(SELECT before FROM draft_step WHERE number = ?)'
    if (index === -1) this.#drop(step.number, next.number)
    else {
      this.#state.run(
        `UPDATE draft_step SET is_edit = 1, before = ${before} WHERE number = ?`,
        step.number ?? null,
        next.number ?? null,
      )
      this.#delete(step.number)
    }
  }

  /** Drops the first steps of the drafts that were not changed for the longest time. */
  #forgetOldest(): void {
    while (this.size > REMAINDER * this.#bounds.inAll) {
      const [step, next] = this.#state.all(
        `SELECT number FROM draft_step WHERE draft =
           (SELECT draft FROM draft_step GROUP BY draft ORDER BY max(number) LIMIT 1)
         ORDER BY number LIMIT 2`,
      )
      if (step === undefined) return
      this.#drop(step.number, next?.number)
    }
  }

  /** Drops the first step of a draft. The next one keeps what was before it. */
  #drop(first: Value, next: Value): void {
    this.#state.run(
      `UPDATE draft_step SET before = coalesce(before, (SELECT after FROM draft_step WHERE number = ?))
       WHERE number = ?`,
      first ?? null,
      next ?? null,
    )
    this.#delete(first)
  }

  #delete(number: Value): void {
    const row = this.#state.get(
      'DELETE FROM draft_step WHERE number = ? RETURNING octet_length(after) AS size',
      number ?? null,
    )
    this.#size = this.size - Number(row?.size ?? 0)
  }
}

/** The number of a row. */
type Value = Row[string] | undefined

function textOf(document: Document | undefined): string | undefined {
  return document && JSON.stringify(document)
}

function parse(text: Value): Document | undefined {
  if (typeof text !== 'string') return undefined
  const value: unknown = JSON.parse(text)
  return isDocument(value) ? value : undefined
}
