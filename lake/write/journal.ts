import {type Document, isJsonObject, type JsonObject} from '../documents/document.ts'
import {JournalFile} from './journal-file.ts'

/** Bytes beyond which lines that no longer matter are dropped. */
const compactBeyond = 16 * 1024 * 1024

/** A draft, and the revision of the published document that it began from: null for none. */
export type Draft = {readonly document: Document; readonly base: string | null | undefined}

/** What a transaction does to drafts. With `commits`, it counts only once Git has the commit that names it. */
export type Entry = {
  readonly id: string
  readonly drafts: ReadonlyMap<string, Draft | undefined>
  readonly commits: boolean
}

/**
 * The drafts, durable and outside of Git: an edit that was acknowledged is here before it is acknowledged. A transaction
 * that changes published documents too is written down first, then committed: after a crash in between, Git is asked
 * which of the two came to pass.
 */
export class Journal {
  readonly #file: JournalFile
  readonly #drafts: Map<string, Draft>

  private constructor(file: JournalFile, drafts: Map<string, Draft>) {
    this.#file = file
    this.#drafts = drafts
  }

  /**
   * Opens the journal and finds the drafts as they were.
   * @param wasCommitted whether Git has a commit that names this transaction
   */
  static async open(
    path: string,
    wasCommitted: (transactionId: string) => Promise<boolean>,
  ): Promise<{journal: Journal; damaged: boolean}> {
    const {file, lines, damaged} = await JournalFile.open(path)
    const entries = lines.filter(isEntryLine)
    const decided = new Map(lines.filter(isDecision).map(({decides, done}) => [decides, done]))
    const drafts = new Map<string, Draft>()
    for (const {id, drafts: changed, commits} of entries) {
      const counts = commits !== true || (decided.get(id) ?? (await wasCommitted(id)))
      if (counts) for (const [key, draft] of Object.entries(changed)) set(drafts, key, draft ?? undefined)
    }
    const journal = new Journal(file, drafts)
    if (entries.length > 1) await journal.compact()
    return {journal, damaged}
  }

  /** Every draft, by id. */
  get drafts(): ReadonlyMap<string, Draft> {
    return this.#drafts
  }

  /**
   * Writes an entry down. One that commits takes effect by {@link decide}, any other at once.
   * @throws NotKeptError
   */
  async append(entry: Entry): Promise<void> {
    const {id, commits} = entry
    const drafts = Object.fromEntries([...entry.drafts].map(([key, draft]) => [key, draft ?? null]))
    await this.#file.append({id, drafts, ...(commits && {commits})})
    if (!commits) this.#take(entry)
  }

  /** Says whether an entry that commits came to pass. */
  async decide(entry: Entry, done: boolean): Promise<void> {
    if (done) this.#take(entry)
    await this.#file.append({decides: entry.id, done})
    if (this.#file.size > compactBeyond) await this.compact()
  }

  /** Keeps the drafts as they are, and no longer how they came to be. */
  async compact(): Promise<void> {
    const drafts = Object.fromEntries(this.#drafts)
    await this.#file.replace([{id: 'compacted', drafts}])
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  #take({drafts}: Entry): void {
    for (const [id, draft] of drafts) set(this.#drafts, id, draft)
  }
}

function set(drafts: Map<string, Draft>, id: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(id)
  else drafts.set(id, draft)
}

type EntryLine = {id: string; drafts: {[id: string]: Draft | null}; commits?: true}
type Decision = {decides: string; done: boolean}

function isEntryLine(value: unknown): value is EntryLine {
  return (
    isJsonObject(value) &&
    typeof value.id === 'string' &&
    isJsonObject(value.drafts) &&
    Object.values(value.drafts).every((draft) => draft === null || isDraft(draft))
  )
}

function isDecision(value: unknown): value is Decision {
  return isJsonObject(value) && typeof value.decides === 'string' && typeof value.done === 'boolean'
}

function isDraft(value: unknown): value is Draft {
  if (!isJsonObject(value) || !isJsonObject(value.document)) return false
  const document: JsonObject = value.document
  return ['_id', '_type', '_rev', '_createdAt', '_updatedAt'].every(
    (name) => typeof document[name] === 'string',
  )
}
