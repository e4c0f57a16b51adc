import type {FastifyBaseLogger} from 'fastify'
import {isJsonObject} from '../../common/json.ts'
import type {Document} from '../../content/document.ts'
import {isPublishedId} from '../../content/ids.ts'
import type {Applied} from '../../content/store.ts'
import {JournalFile} from '../write/journal/journalFile.ts'
import {type Bounds, type Step, Steps} from './steps.ts'

/** Limits of what is kept in memory, and so in the file. */
const USUAL_BOUNDS: Bounds = {perDraft: 200, inAll: 20 * 1024 * 1024}

/** The file is rewritten when it is this many times larger than what is kept. */
const MOSTLY_OUTDATED = 2

/**
 * The history of drafts. It is separate from the journal, which must stay short to be durable at each
 * keystroke; this log may lag behind it. After a crash the last steps may be missing, but the existing ones
 * are correct.
 */
export class DraftLog {
  readonly #file: JournalFile
  readonly #steps: Steps
  readonly #bounds: Bounds
  readonly #logger: FastifyBaseLogger
  #pending: Line[] = []
  #writing: Promise<void> | undefined
  #failed = false

  private constructor(file: JournalFile, steps: Steps, bounds: Bounds, logger: FastifyBaseLogger) {
    this.#file = file
    this.#steps = steps
    this.#bounds = bounds
    this.#logger = logger
  }

  /** Opens the log at `path`, or creates it if missing. */
  static async open(path: string, logger: FastifyBaseLogger, bounds = USUAL_BOUNDS): Promise<DraftLog> {
    const {file, lines, damage} = await JournalFile.open(path)
    const steps = new Steps(bounds)
    const last = new Map<string, Document>()
    for (const line of lines.flat()) {
      if (!isLine(line)) continue
      const {documentId, id, timestamp, author, previous} = line
      const after = line.after ?? undefined
      const before = line.before ?? last.get(documentId)
      if (after === undefined) last.delete(documentId)
      else last.set(documentId, after)
      // If a line before this one is missing, the state before this step is unknown.
      if (before?._rev !== (previous ?? undefined)) continue
      steps.add(documentId, {id, timestamp, author, before, after})
    }
    const log = new DraftLog(file, steps, bounds, logger)
    if (damage !== undefined) {
      const {lineNumbers, count, copy} = damage
      logger.error({path, lineNumbers, count, copy}, 'skipped damaged lines in the history of drafts')
      if (copy !== undefined) await log.#rewrite().catch(() => {})
    }
    return log
  }

  /** The steps of a draft, the oldest first. */
  of(id: string): readonly Step[] {
    return this.#steps.of(id)
  }

  /** Records what a transaction did to drafts. It is written in the background. */
  record({id, timestamp, identity, changes}: Applied): void {
    for (const {id: documentId, before, after} of changes) {
      if (isPublishedId(documentId)) continue
      const step = {id, timestamp, author: identity, before, after}
      this.#pending.push(lineOf(documentId, step, this.#steps.of(documentId).at(-1)))
      this.#steps.add(documentId, step)
    }
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  /** Waits for pending writes, and closes the file. */
  async close(): Promise<void> {
    await this.#writing
    await this.#file.close()
  }

  /** Steps that arrive during a write are batched into the next one, so that the disk sets the pace. */
  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const lines = this.#pending
      this.#pending = []
      try {
        await this.#file.append(lines)
        if (this.#file.size > MOSTLY_OUTDATED * this.#bounds.inAll) await this.#rewrite()
        this.#failed = false
      } catch (error) {
        if (!this.#failed) this.#logger.warn({err: error}, 'could not write the history of drafts')
        this.#failed = true
      }
    }
  }

  async #rewrite(): Promise<void> {
    this.#pending = []
    await this.#file.replace(
      Array.from(this.#steps.all()).flatMap(([documentId, steps]) =>
        steps.map((step, index) => [lineOf(documentId, step, steps[index - 1])]),
      ),
    )
  }
}

/** A step as it is written. The state before it is omitted if the previous line contains it. */
type Line = {
  readonly documentId: string
  readonly id: string
  readonly timestamp: string
  readonly author: string
  readonly previous: string | null
  readonly before?: Document
  readonly after: Document | null
}

function lineOf(documentId: string, step: Step, last: Step | undefined): Line {
  const {id, timestamp, author, before, after = null} = step
  const line = {documentId, id, timestamp, author, previous: before?._rev ?? null, after}
  return before === undefined || last?.after?._rev === before._rev ? line : {...line, before}
}

function isLine(value: unknown): value is Line {
  if (!isJsonObject(value)) return false
  const {documentId, id, timestamp, author, previous, before, after} = value
  return (
    [documentId, id, timestamp, author].every((text) => typeof text === 'string') &&
    (previous === null || typeof previous === 'string') &&
    (before === undefined || isDocument(before)) &&
    (after === null || isDocument(after))
  )
}

function isDocument(value: unknown): value is Document {
  if (!isJsonObject(value)) return false
  return ['_id', '_type', '_rev', '_createdAt', '_updatedAt'].every((name) => typeof value[name] === 'string')
}
