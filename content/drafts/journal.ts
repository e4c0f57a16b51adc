import {isJsonObject} from '../../common/json.ts'
import {git} from '../../git/process.ts'
import {type Document, isDocument} from '../document.ts'
import type {Row, State} from '../state/state.ts'
import {areEditors, type DraftEditor} from './draftEditors.ts'
import {type Bounds, DraftSteps} from './draftSteps.ts'
import {NotKeptError, writeFailure} from './notKept.ts'

/** The trailer with the transaction id. */
export const TRANSACTION_TRAILER = 'Transaction'

/**
 * The trailer by which the journal recognises the commit of an entry: clients choose transaction ids, and may
 * use one twice.
 */
export const ATTEMPT_TRAILER = 'Attempt'

/** A draft, and the revision of the published document that it began from: null for none. */
export type Draft = {
  readonly document: Document
  readonly base: string | null | undefined
  /** Who has changed it since it began; undefined if that is not known, because it was imported. */
  readonly editors?: readonly DraftEditor[] | undefined
  /** Of a version: the document of `base`, so that the changes of others can be told from its own. */
  readonly origin?: Document | undefined
  /** The published revisions of contents that were copied from it, or to it. */
  readonly copies?: readonly string[] | undefined
}

/** The drafts before a transaction. */
type Before = ReadonlyMap<string, Document | undefined>

/**
 * The changes of a transaction to drafts. With `commits`, it takes effect only once Git has the commit that
 * names its attempt.
 */
export type Entry = {
  readonly id: string
  /**
   * Identifies this attempt to commit, and is part of the commit: a client may use one `id` for two
   * transactions.
   */
  readonly attempt: string
  /** The id of the principal, and the time in ISO 8601, for the history. */
  readonly author: string
  readonly timestamp: string
  /** Identifies the request; undefined for a transaction of the lake itself. */
  readonly request?: string | undefined
  readonly drafts: ReadonlyMap<string, Draft | undefined>
  readonly commits: boolean
}

/**
 * The drafts, which are outside of Git: an edit is in the database before it is acknowledged, with its step of the
 * history. A transaction that also changes published documents is written first and then committed. After a crash in
 * between, the Git history decides whether it took effect.
 */
export class Journal {
  /** The history of the drafts. */
  readonly steps: DraftSteps
  readonly #state: State
  readonly #drafts: Map<string, Draft>
  /** Entries that commits have decided on, while the database does not know it yet. */
  #settled: {
    readonly entry: Entry
    readonly before: Before
    readonly done: boolean
    readonly within: () => void
  }[] = []
  #failure: string | undefined

  private constructor(state: State, drafts: Map<string, Draft>, bounds: Bounds | undefined) {
    this.#state = state
    this.#drafts = drafts
    this.steps = new DraftSteps(state, bounds)
  }

  /**
   * Reads the drafts.
   * @param wasCommitted whether Git has the commit of an attempt
   * @throws StateError
   */
  static async open(
    state: State,
    wasCommitted: (attempt: string) => Promise<boolean>,
    bounds?: Bounds,
  ): Promise<Journal> {
    const drafts = new Map(state.all('SELECT * FROM draft').map((row) => [String(row.id), draftOf(row)]))
    const journal = new Journal(state, drafts, bounds)
    for (const row of state.all('SELECT entry FROM pending_transaction ORDER BY rowid')) {
      const entry = parseEntry(row.entry)
      journal.#settle(entry, await wasCommitted(entry.attempt))
    }
    if (journal.#settled.length > 0) state.transaction(() => journal.#writeSettled())
    return journal
  }

  /** Why the last transaction could not be written, in words for an editor; undefined if it was. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** All drafts, by id. */
  get drafts(): ReadonlyMap<string, Draft> {
    return this.#drafts
  }

  /**
   * Writes an entry, durably. One that commits takes effect by {@link decide}, any other at once.
   * @param within writes what belongs to the transaction of an entry that does not commit
   * @throws NotKeptError
   */
  append(entry: Entry, within = () => {}): void {
    const before = this.#before(entry)
    this.#write(() => {
      if (!entry.commits) {
        this.#put(entry, before)
        within()
        return
      }
      const text = JSON.stringify({...entry, drafts: Object.fromEntries([...entry.drafts].map(withNull))})
      this.#state.run('INSERT INTO pending_transaction VALUES (?, ?)', entry.attempt, text)
    })
    if (!entry.commits) this.#take(entry)
  }

  /**
   * Records whether an entry that commits took effect. If that cannot be written, the next transaction or the next start
   * does it.
   * @param within writes what belongs to the transaction of an entry that took effect
   */
  decide(entry: Entry, done: boolean, within = () => {}): void {
    this.#settle(entry, done, within)
    try {
      this.#write(() => {})
    } catch {
      // `failure` has the reason.
    }
  }

  /**
   * Tries to write if the last transaction could not be written, so that the problem ends with its cause. A row that one
   * transaction adds and removes is written to the log of the database, too, and is as large as a long document: a small one
   * may still fit on a full disk.
   */
  retry(): void {
    if (this.#failure === undefined) return
    try {
      this.#write(() => {
        this.#state.run('INSERT INTO draft (id, document) VALUES (?, ?)', PROBE, PROBE_TEXT)
        this.#state.run('DELETE FROM draft WHERE id = ?', PROBE)
      })
    } catch {
      // `failure` has the reason.
    }
  }

  /** One transaction, after what earlier ones could not write. */
  #write(work: () => void): void {
    try {
      this.#state.transaction(() => {
        this.#writeSettled()
        work()
      })
      this.#settled = []
      this.#failure = undefined
    } catch (error) {
      this.steps.recount()
      this.#failure = writeFailure(error)
      throw new NotKeptError(`Nothing was saved: ${this.#failure}`, {cause: error})
    }
  }

  #settle(entry: Entry, done: boolean, within = () => {}): void {
    this.#settled.push({entry, before: this.#before(entry), done, within})
    if (done) this.#take(entry)
  }

  #writeSettled(): void {
    for (const {entry, before, done, within} of this.#settled) {
      if (done) {
        this.#put(entry, before)
        within()
      }
      this.#state.run('DELETE FROM pending_transaction WHERE attempt = ?', entry.attempt)
    }
  }

  #before({drafts}: Entry): Before {
    return new Map(Array.from(drafts.keys(), (id) => [id, this.#drafts.get(id)?.document]))
  }

  #put({id, timestamp, author, request, drafts}: Entry, before: Before): void {
    for (const [key, draft] of drafts) {
      const step = {id, timestamp, author, request, before: before.get(key), after: draft?.document}
      const text = draft && JSON.stringify(draft.document)
      if (draft === undefined || text === undefined) this.#state.run('DELETE FROM draft WHERE id = ?', key)
      else putDraft(this.#state, key, draft, text)
      if (step.before !== step.after) this.steps.add(key, step, text)
    }
  }

  #take({drafts}: Entry): void {
    for (const [id, draft] of drafts) {
      if (draft === undefined) this.#drafts.delete(id)
      else this.#drafts.set(id, draft)
    }
  }
}

/**
 * Opens the journal of a content repository. A commit of any branch counts, because people who work with Git may have
 * switched.
 * @throws StateError, GitError
 */
export function openJournal(root: string, state: State): Promise<Journal> {
  return Journal.open(state, async (attempt) => {
    const line = `^${ATTEMPT_TRAILER}: ${attempt}$`
    return (await git(root, ['log', '--all', '--max-count=1', '--format=%H', `--grep=${line}`])) !== ''
  })
}

/** No document has this ID. */
const PROBE = ' '
const PROBE_TEXT = JSON.stringify({text: ' '.repeat(256 * 1024)})

/** Writes a draft within a transaction. @param text the JSON of its document */
function putDraft(state: State, id: string, {base, editors, origin, copies}: Draft, text: string): void {
  state.run(
    `INSERT INTO draft (id, document, base, editors, origin, copies) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET document = excluded.document, base = excluded.base, editors = excluded.editors,
       origin = excluded.origin, copies = excluded.copies`,
    id,
    text,
    ...[base, editors, origin, copies].map((value) => (value === undefined ? null : JSON.stringify(value))),
  )
}

function draftOf({id, document, base, ...more}: Row): Draft {
  const [editors, origin, copies] = [more.editors, more.origin, more.copies].map(parse)
  const draft = {document: parse(document), base: parse(base), editors, origin, copies}
  if (isDraft(draft)) return draft
  throw new Error(`the draft "${id}" in the database of the lake is not valid`)
}

function parse(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : undefined
}

/** JSON has no `undefined`. */
function withNull([id, draft]: readonly [string, Draft | undefined]): readonly [string, Draft | null] {
  return [id, draft ?? null]
}

function parseEntry(text: unknown): Entry {
  const value: unknown = JSON.parse(String(text))
  if (isJsonObject(value) && isJsonObject(value.drafts)) {
    const {id, attempt, author, timestamp, request} = value
    const drafts = new Map<string, Draft | undefined>()
    for (const [key, draft] of Object.entries(value.drafts)) {
      if (isDraft(draft)) drafts.set(key, draft)
      else if (draft === null) drafts.set(key, undefined)
    }
    return {
      id: String(id),
      attempt: String(attempt),
      author: String(author),
      timestamp: String(timestamp),
      request: typeof request === 'string' ? request : undefined,
      drafts,
      commits: true,
    }
  }
  throw new Error('a pending transaction in the database of the lake is not valid')
}

/** Whether a value from the database is a draft. */
export function isDraft(value: unknown): value is Draft {
  if (!isJsonObject(value) || !isDocument(value.document)) return false
  if (value.base !== undefined && value.base !== null && typeof value.base !== 'string') return false
  if (value.origin !== undefined && !isDocument(value.origin)) return false
  if (value.copies !== undefined && !areTexts(value.copies)) return false
  return value.editors === undefined || areEditors(value.editors)
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}
