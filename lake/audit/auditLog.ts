import {v7} from 'uuid'
import {errorMessage} from '../../common/errorMessage.ts'
import {beforeTimeout} from '../../common/timeout.ts'
import {AuditFiles} from './auditFiles.ts'
import type {Audit, AuditEvent} from './events.ts'
import {FailureLimit} from './failureLimit.ts'
import {type AuditPage, type AuditQuery, findEvents} from './findEvents.ts'
import {describeEvent} from './words.ts'

/** Events to keep in memory while the file cannot be written. Further ones are counted as lost. */
const MAX_WAITING = 1_000

/** Milliseconds before a failed write is tried again. */
const RETRY_AFTER = 5_000

/** Milliseconds that a request may wait for its event. */
const MAX_WAIT = 1_000

/** Maximum characters of one text, such as the reason of a publish. */
const MAX_TEXT = 1_000

/** The log for the operator. */
export type AuditLogger = {error(details: object, message: string): void; info(message: string): void}

/** For commands, which end too soon to report a problem that lasts. */
const NO_LOGGER: AuditLogger = {error: () => {}, info: () => {}}

/**
 * The audit log: one line of JSON for each event, in files with a bound on their size and number. Events are
 * written and flushed in the background, all that wait in one batch, so that no request waits for the disk
 * unless it asks to. While the disk cannot be written, events wait in memory.
 */
export class AuditLog implements Audit {
  readonly #files: AuditFiles
  readonly #logger: AuditLogger
  readonly #failures = new FailureLimit((count) => this.#add({type: 'signIn.omitted', count}))
  #waiting: string[] = []
  #lost = 0
  #isFailing = false
  #writing: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(path: string, logger: AuditLogger = NO_LOGGER, files = new AuditFiles(path)) {
    this.#files = files
    this.#logger = logger
  }

  record(event: AuditEvent): void {
    if (event.type === 'signIn.failed' && !this.#failures.admit(event.about?.id)) return
    this.#add(event)
  }

  async settled(): Promise<void> {
    await beforeTimeout(MAX_WAIT, this.#writing ?? Promise.resolve())
  }

  /** What prevents events from being written, and how many were lost since the start; undefined if nothing does. */
  get problem(): {readonly waiting: number; readonly lost: number} | undefined {
    return this.#isFailing ? {waiting: this.#waiting.length, lost: this.#lost} : undefined
  }

  /**
   * The events that a query selects, the latest first.
   * @throws the error of the file system
   */
  find(query: AuditQuery): Promise<AuditPage> {
    return findEvents(this.#files, query)
  }

  /** Writes what waits. Resolves after a second at the latest. */
  async close(): Promise<void> {
    this.#failures.end()
    clearTimeout(this.#retry)
    this.#write()
    await this.settled()
    clearTimeout(this.#retry)
  }

  #add(event: AuditEvent): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#lost += 1
      return
    }
    this.#waiting.push(lineOf(event))
    this.#write()
  }

  #write(): void {
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const count = this.#waiting.length
      try {
        await this.#files.append(this.#waiting.join(''))
      } catch (err) {
        this.#fail(err)
        return
      }
      this.#waiting.splice(0, count)
      if (this.#isFailing)
        this.#logger.info(`The audit log can be written again; ${this.#lost} events were lost`)
      this.#isFailing = false
    }
  }

  /** Logs a failure once, however many events it delays. */
  #fail(err: unknown): void {
    if (!this.#isFailing) {
      const path = this.#files.path
      this.#logger.error({err, path}, `The audit log cannot be written: ${errorMessage(err)}`)
    }
    this.#isFailing = true
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#write(), RETRY_AFTER).unref()
  }
}

/** The line of an event. Long texts are cut, so that no event can fill a file. */
function lineOf(event: AuditEvent): string {
  const {type, ...details} = event
  const line = {id: v7(), at: new Date().toISOString(), type, text: describeEvent(event), ...details}
  return `${JSON.stringify(line, (_key, value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value,
  )}\n`
}
