import {hash} from 'node:crypto'
import {existsSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync} from 'node:sqlite'
import {type DocumentKey, jsonPath, type Layout} from '../layout/layout.ts'
import {type ReadCommit, readCommits} from './readCommits.ts'

/**
 * The commits along first parents of HEAD, and which files of documents each changed. "field" is empty for a document's JSON,
 * "created" when the document was created last. "blob" is NULL if the commit deleted the file, "replaced" if there was none.
 */
const TABLES = `
  CREATE TABLE git_commit (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    seconds INTEGER NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    subject TEXT NOT NULL,
    trailers TEXT NOT NULL
  ) STRICT;
  CREATE INDEX git_commit_by_email ON git_commit (email);
  CREATE TABLE change (
    document TEXT NOT NULL,
    position INTEGER NOT NULL,
    type TEXT NOT NULL,
    field TEXT NOT NULL,
    blob TEXT,
    replaced TEXT,
    created INTEGER NOT NULL,
    PRIMARY KEY (document, position, type, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX change_by_position ON change (position);`

const MEMORY = ':memory:'

/** A power cut loses the last commits at most, and never leaves others. */
const SETTINGS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL'

/** When a document was created and changed last, in seconds since 1970. */
export type Dates = {readonly created: number; readonly updated: number}

/** A commit of the history. Positions grow along it. */
export type Commit = Omit<ReadCommit, 'changes'> & {readonly position: number}

/** What a commit did to a file of a document. */
export type Change = DocumentKey & {
  readonly position: number
  /** The attribute whose text it holds; undefined for the document's JSON. */
  readonly field: string | undefined
  readonly blob: string | undefined
  readonly replaced: string | undefined
  readonly created: number
}

/** How to get to the history of another commit: what to keep, and what to add, the oldest first. */
export type HistoryMove = {
  readonly keep: number
  readonly commits: readonly ReadCommit[]
}

/**
 * The history of published documents, in a database of its own: everything in it is read from Git again if the file is deleted or
 * damaged.
 */
export class History {
  readonly #root: string
  readonly #layout: Layout
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /** @param gitDir where to keep it between runs. Default: it is in memory */
  constructor(root: string, layout: Layout, gitDir?: string) {
    this.#root = root
    this.#layout = layout
    const path = gitDir === undefined ? MEMORY : join(gitDir, 'handrail', 'history.db')
    this.#database = openTables(path, layout)
  }

  /** The newest known commit. */
  get last(): Commit | undefined {
    return this.#commits('ORDER BY position DESC LIMIT 1')[0]
  }

  /** The dates of a document; undefined if no commit changed it. */
  datesOf({type, id}: DocumentKey): Dates | undefined {
    const [found] = this.#all(
      `SELECT created, seconds FROM change JOIN git_commit USING (position)
       WHERE document = ? AND type = ? ORDER BY position DESC LIMIT 1`,
      id,
      type,
    )
    return found && {created: Number(found.created), updated: Number(found.seconds)}
  }

  /** The commits that changed documents with an id, the oldest first. */
  commitsOf(id: string): Commit[] {
    return this.#commits(
      'WHERE position IN (SELECT position FROM change WHERE document = ?) ORDER BY position',
      id,
    )
  }

  /** The changes of the files of documents with an id, the oldest first. */
  changesOf(id: string): Change[] {
    return this.#changes('WHERE document = ? ORDER BY position', id)
  }

  /** The last commits before a position that changed documents, the newest first. */
  commitsBefore(position: number, limit: number): Commit[] {
    return this.#commits(
      `WHERE position < ? AND EXISTS (SELECT 1 FROM change WHERE change.position = git_commit.position)
       ORDER BY position DESC LIMIT ?`,
      position,
      limit,
    )
  }

  /** The changes of a commit, at most `limit`. */
  changesIn({position}: Commit, limit: number): Change[] {
    return this.#changes('WHERE position = ? ORDER BY type, document LIMIT ?', position, limit)
  }

  /** The changes after a position, the oldest first. */
  changesAfter(position: number): Change[] {
    return this.#changes('WHERE position > ? ORDER BY position', position)
  }

  /** The JSON that a document had at a position. */
  jsonAt({type, id}: DocumentKey, position: number): string | undefined {
    return this.#changes(
      `WHERE document = ? AND type = ? AND field = '' AND position <= ? ORDER BY position DESC LIMIT 1`,
      id,
      type,
      position,
    )[0]?.blob
  }

  /** The position of a commit. */
  positionOf(commit: string): number | undefined {
    return this.#commits('WHERE id = ?', commit)[0]?.position
  }

  /** The name with which somebody with an email address committed last. */
  nameOf(email: string): string | undefined {
    return this.#commits('WHERE email = ? ORDER BY position DESC LIMIT 1', email)[0]?.name
  }

  /** Plans the move to the history of a commit, without applying it. @throws GitError */
  async plan(commit: string): Promise<HistoryMove> {
    const at = this.positionOf(commit)
    if (at !== undefined) return {keep: at, commits: []}
    const isKnown = (one: string) => this.positionOf(one) !== undefined
    const {commits, known = ''} = await readCommits(this.#root, commit, isKnown)
    return {keep: this.positionOf(known) ?? 0, commits: commits.reverse()}
  }

  /** Applies a planned move. Returns the ids of documents whose dates may have changed. */
  apply({keep, commits}: HistoryMove): Set<string> {
    const changed = new Set<string>()
    this.#database.exec('BEGIN')
    try {
      for (const {document} of this.#all('SELECT DISTINCT document FROM change WHERE position > ?', keep))
        changed.add(String(document))
      for (const table of ['change', 'git_commit']) this.#run(`DELETE FROM ${table} WHERE position > ?`, keep)
      for (const [index, commit] of commits.entries())
        for (const id of this.#add(keep + index + 1, commit)) changed.add(id)
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
    return changed
  }

  /**
   * Adds a child of `parent` (undefined: none) without asking Git. Returns false if `parent` is not the newest known commit;
   * {@link plan} then finds the way.
   */
  extend(parent: string | undefined, commit: ReadCommit): boolean {
    const {last} = this
    if (last?.commit !== parent) return false
    this.apply({keep: last?.position ?? 0, commits: [commit]})
    return true
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #add(
    position: number,
    {commit, seconds, email, name, subject, trailers, changes}: ReadCommit,
  ): Set<string> {
    const values = [position, commit, seconds, email, name, subject, trailers]
    this.#run('INSERT INTO git_commit VALUES (?, ?, ?, ?, ?, ?, ?)', ...values)
    const places = changes.flatMap((change) => {
      const place = this.#layout.placeOf(change.path)
      return place === undefined ? [] : {...change, place}
    })
    for (const files of Map.groupBy(places, ({place}) => jsonPath(place)).values()) {
      const [first] = files
      if (first === undefined) continue
      const isNew = files.some(({place, before}) => place.field === undefined && before === undefined)
      const created = (isNew ? undefined : this.datesOf(first.place)?.created) ?? seconds
      for (const {place, before = null, after} of files) {
        const blob = after === undefined || after.kind !== undefined ? null : after.id
        const change = [place.id, position, place.type, place.field ?? '', blob, before, created]
        this.#run('INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?)', ...change)
      }
    }
    return new Set(places.map(({place}) => place.id))
  }

  #commits(where: string, ...values: SQLInputValue[]): Commit[] {
    return this.#all(`SELECT * FROM git_commit ${where}`, ...values).map((row) => ({
      position: Number(row.position),
      commit: String(row.id),
      seconds: Number(row.seconds),
      email: String(row.email),
      name: String(row.name),
      subject: String(row.subject),
      trailers: String(row.trailers),
    }))
  }

  #changes(where: string, ...values: SQLInputValue[]): Change[] {
    return this.#all(`SELECT * FROM change ${where}`, ...values).map((row) => ({
      position: Number(row.position),
      type: String(row.type),
      id: String(row.document),
      field: textOf(row.field),
      blob: textOf(row.blob),
      replaced: textOf(row.replaced),
      created: Number(row.created),
    }))
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values)
  }

  #all(sql: string, ...values: SQLInputValue[]) {
    return this.#statement(sql).all(...values)
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }
}

function textOf(value: SQLOutputValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Opens the tables. Others than those of this version and layout are made again, as those of a damaged file. */
function openTables(path: string, layout: Layout): DatabaseSync {
  const version = hash('sha256', TABLES + JSON.stringify(layout.files), 'buffer').readInt32BE()
  const found = openCurrent(path, version)
  if (found !== undefined) return found
  if (path !== MEMORY) writeFileSync(path, '', {mode: 0o600})
  for (const log of ['-wal', '-shm']) rmSync(path + log, {force: true})
  const database = new DatabaseSync(path)
  database.exec(`${SETTINGS}; BEGIN; ${TABLES} PRAGMA user_version = ${version}; COMMIT`)
  return database
}

function openCurrent(path: string, version: number): DatabaseSync | undefined {
  if (!existsSync(path)) return undefined
  const database = new DatabaseSync(path)
  try {
    database.exec(SETTINGS)
    const isWhole = database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok'
    if (isWhole && database.prepare('PRAGMA user_version').get()?.user_version === version) return database
  } catch {
    // If the disk is the reason, making it again says so.
  }
  database.close()
  return undefined
}
