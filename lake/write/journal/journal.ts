import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import type {Document} from '../../../content/document.ts'
import {areEditors, type DraftEditor} from './draftEditors.ts'
import {type Damage, JournalFile} from './journalFile.ts'

/** The file is compacted when obsolete lines take more bytes than this and at least half of the file. */
const COMPACT_BEYOND = 16 * 1024 * 1024

/** A draft, and the revision of the published document that it began from: null for none. */
export type Draft = {
  readonly document: Document
  readonly base: string | null | undefined
  /** Who has changed it since it began; undefined if it began before the journal recorded that. */
  readonly editors?: readonly DraftEditor[] | undefined
}

/**
 * The changes of a transaction to drafts. With `commits`, it takes effect only once Git has the commit that
 * names it.
 */
export type Entry = {
  readonly id: string
  /**
   * Identifies this attempt to commit, and is part of the commit: a client may use one `id` for two
   * transactions.
   */
  readonly attempt?: string
  readonly drafts: ReadonlyMap<string, Draft | undefined>
  readonly commits: boolean
}

/** The state of the journal, for the operator. */
export type JournalState = {
  /** Damaged lines that were skipped on start. */
  readonly damagedLines: number
  /** Why the last transaction could not be written. */
  readonly failure: string | undefined
}

/**
 * A write-ahead journal of the drafts, outside of Git: an edit is written here before it is acknowledged. A
 * transaction that also changes published documents is written first and then committed. After a crash in
 * between, the Git history decides whether it took effect.
 */
export class Journal {
  readonly #file: JournalFile
  readonly #drafts: Map<string, Draft>
  readonly #damagedLines: number
  #compactBeyond = COMPACT_BEYOND

  private constructor(file: JournalFile, drafts: Map<string, Draft>, damagedLines: number) {
    this.#file = file
    this.#damagedLines = damagedLines
    this.#drafts = drafts
  }

  /**
   * Opens the journal and restores the drafts.
   * @param wasCommitted whether Git has the commit of this attempt; entries of older versions have a
   * transaction only
   * @param mayWrite whether it may be compacted: only the process that holds the repository lock may
   */
  static async open(
    path: string,
    wasCommitted: (transactionId: string, attempt: string | undefined) => Promise<boolean>,
    mayWrite = true,
  ): Promise<{readonly journal: Journal; readonly damage?: Damage}> {
    const {file, lines, damage} = await JournalFile.open(path)
    const drafts = new Map<string, Draft>()
    for (const [index, line] of lines.entries()) {
      if (!isEntryLine(line)) continue
      const {id, attempt, drafts: changed, commits} = line
      const counts = commits !== true || (decisionOf(line, lines, index) ?? (await wasCommitted(id, attempt)))
      if (counts) for (const [key, draft] of Object.entries(changed)) set(drafts, key, draft ?? undefined)
    }
    const journal = new Journal(file, drafts, damage?.count ?? 0)
    // Without a copy, the damaged lines must be kept.
    const mayTidy = mayWrite && (damage === undefined || damage.copy !== undefined)
    if (mayTidy && (damage !== undefined || lines.filter(isEntryLine).length > 1)) await journal.#tidy()
    return {journal, ...(damage && {damage})}
  }

  get state(): JournalState {
    return {damagedLines: this.#damagedLines, failure: this.#file.failure}
  }

  /** Whether the file is unchanged by other processes since it was read. */
  isUnchanged(): Promise<boolean> {
    return this.#file.isUnchanged()
  }

  /** All drafts, by id. */
  get drafts(): ReadonlyMap<string, Draft> {
    return this.#drafts
  }

  /**
   * Writes an entry. One that commits takes effect by {@link decide}, any other at once.
   * @throws NotKeptError
   */
  async append(entry: Entry): Promise<void> {
    const {id, attempt, commits} = entry
    const drafts = Object.fromEntries([...entry.drafts].map(([key, draft]) => [key, draft ?? null]))
    await this.#file.append({id, drafts, ...(commits && {attempt, commits})})
    if (commits) return
    this.#take(entry)
    await this.#tidyWhenLarge()
  }

  /** Records whether an entry that commits took effect. */
  async decide(entry: Entry, done: boolean): Promise<void> {
    if (done) this.#take(entry)
    await this.#file.append({decides: entry.attempt ?? entry.id, done})
    await this.#tidyWhenLarge()
  }

  /** Replaces the history of the drafts by their current state. */
  async compact(): Promise<void> {
    const drafts = Object.fromEntries(this.#drafts)
    await this.#file.replace([{id: 'compacted', drafts}])
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #tidyWhenLarge(): Promise<void> {
    if (this.#file.size > this.#compactBeyond) await this.#tidy()
  }

  /** Compacts if possible. On a full disk, the journal keeps working without. */
  async #tidy(): Promise<void> {
    await this.compact().catch(() => {})
    this.#compactBeyond = Math.max(COMPACT_BEYOND, 2 * this.#file.size)
  }

  #take({drafts}: Entry): void {
    for (const [id, draft] of drafts) set(this.#drafts, id, draft)
  }
}

function set(drafts: Map<string, Draft>, id: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(id)
  else drafts.set(id, draft)
}

/**
 * Whether the entry at `index` took effect; undefined if that could not be recorded. Entries of older
 * versions have no attempt: if such a transaction was retried under its id, its first attempt failed.
 */
function decisionOf({id, attempt}: EntryLine, lines: readonly unknown[], index: number): boolean | undefined {
  for (let next = index + 1; next < lines.length; next += 1) {
    const line = lines[next]
    if (isDecision(line) && line.decides === (attempt ?? id)) return line.done
    if (attempt === undefined && isEntryLine(line) && line.id === id) return false
  }
  return undefined
}

type EntryLine = {
  readonly id: string
  readonly attempt?: string
  readonly drafts: {[id: string]: Draft | null}
  readonly commits?: true
}
type Decision = {readonly decides: string; readonly done: boolean}

function isEntryLine(value: unknown): value is EntryLine {
  return (
    isJsonObject(value) &&
    typeof value.id === 'string' &&
    (value.attempt === undefined || typeof value.attempt === 'string') &&
    isJsonObject(value.drafts) &&
    Object.values(value.drafts).every((draft) => draft === null || isDraft(draft)) &&
    (value.commits === undefined || value.commits === true)
  )
}

function isDecision(value: unknown): value is Decision {
  return isJsonObject(value) && typeof value.decides === 'string' && typeof value.done === 'boolean'
}

function isDraft(value: unknown): value is Draft {
  if (!isJsonObject(value) || !isJsonObject(value.document)) return false
  if (value.base !== undefined && value.base !== null && typeof value.base !== 'string') return false
  if (value.editors !== undefined && !areEditors(value.editors)) return false
  const document: JsonObject = value.document
  return ['_id', '_type', '_rev', '_createdAt', '_updatedAt'].every(
    (name) => typeof document[name] === 'string',
  )
}
