import {v7} from 'uuid'
import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject, type JsonObject} from '../../common/json.ts'
import type {State} from '../../content/state/state.ts'
import {type Audit, type AuditEvent, type AuditKind, describeEvent} from './events.ts'

/**
 * Maximum number of events to keep. Beyond that, the oldest of those people and programs are deleted who have the most: what one
 * of them does again and again pushes out nothing of others.
 */
const MAX_EVENTS = 200_000

/** The part by which there may be more, so that not every event makes the log count those of each person. */
const SLACK = 0.005

/** Maximum characters of one text, such as the reason of a publish, and documents that an event names. */
const MAX_TEXT = 1_000
const MAX_DOCUMENTS = 100

const DAY = 86_400_000

/** Failed attempts with lines of their own within so many milliseconds, for each account. */
const MAX_FAILURES = 20
const FAILURE_WINDOW = 10 * 60_000

/** How much is kept. Older events are deleted when another one is written. */
type Kept = {readonly events?: number; readonly days?: number | undefined}

/** The log for the operator. */
type AuditLogger = {error(details: object, message: string): void; info(message: string): void}

/** For commands, whose changes fail with the log. */
const NO_LOGGER: AuditLogger = {error: () => {}, info: () => {}}

export type AuditQuery = {
  readonly kind?: AuditKind | undefined
  /** The id of who did it, or to whom it was done. */
  readonly person?: string | undefined
  /** Only events since this time, in ISO 8601. */
  readonly since?: string | undefined
  /** Only events before the one with this id. */
  readonly after?: string | undefined
  readonly limit: number
}

type StoredEvent = JsonObject & {
  readonly id: string
  readonly at: string
  readonly text: string
  readonly by?: {readonly id: string}
  readonly about?: {readonly id: string}
}

export type AuditPage = {
  /** With `id`, `at`, `type` and `text`, the event as a sentence. The latest first. */
  readonly events: readonly StoredEvent[]
  /** The id after which the next page begins; undefined at the end. */
  readonly next: string | undefined
}

/** The audit log: rows that are written with what they record. */
export class AuditLog implements Audit {
  readonly #state: State
  readonly #logger: AuditLogger
  readonly #kept: {readonly events: number; readonly days: number}
  /** Failed attempts of this window, for each account that exists, and for all others together. */
  readonly #failures = new Map<string, number>()
  #windowEnd = 0
  #added = 0
  #isFailing = false

  constructor(
    state: State,
    logger: AuditLogger = NO_LOGGER,
    {events = MAX_EVENTS, days = Number.POSITIVE_INFINITY}: Kept = {},
  ) {
    this.#state = state
    this.#logger = logger
    this.#kept = {events, days}
  }

  record(event: AuditEvent): void {
    if (event.type !== 'signIn.failed' || this.#mayList(event.about?.id)) this.#add(event)
  }

  /** Counts a failed attempt: a flood of them cannot push other events out of the log. */
  #mayList(account = ''): boolean {
    const now = performance.now()
    if (now >= this.#windowEnd) {
      this.close()
      this.#windowEnd = now + FAILURE_WINDOW
    }
    const count = (this.#failures.get(account) ?? 0) + 1
    this.#failures.set(account, count)
    return count <= MAX_FAILURES
  }

  #deleteExcess(): void {
    const isDue = this.#added % Math.ceil(this.#kept.events * SLACK) === 0
    this.#added += 1
    if (!isDue) return
    const counts = this.#state.all(
      'SELECT by_id, count(*) AS count FROM audit_event GROUP BY by_id ORDER BY count',
    )
    let left = this.#kept.events
    for (const [index, {by_id, count}] of counts.entries()) {
      const share = Math.min(Number(count), Math.floor(left / (counts.length - index)))
      left -= share
      this.#state.run(
        'DELETE FROM audit_event WHERE number IN (SELECT number FROM audit_event WHERE by_id IS ? ORDER BY number LIMIT ?)',
        by_id ?? null,
        Number(count) - share,
      )
    }
  }

  /**
   * The events that a query selects, the latest first.
   * @throws StateError
   */
  find({kind, person, since, after, limit}: AuditQuery): AuditPage {
    const conditions: string[] = []
    const values: (string | number)[] = []
    const where = (condition: string, ...given: string[]) => {
      conditions.push(condition)
      values.push(...given)
    }
    if (kind !== undefined) where('kind = ?', kind)
    if (person !== undefined) where('(by_id = ? OR about_id = ?)', person, person)
    if (after !== undefined) where('number < (SELECT number FROM audit_event WHERE id = ?)', after)
    // The order is that of time, but for the milliseconds between two processes.
    if (since !== undefined)
      where('number > (SELECT coalesce(max(number), 0) FROM audit_event WHERE at < ?)', since)
    const selection = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    const sql = `SELECT id, event FROM audit_event ${selection} ORDER BY number DESC LIMIT ?`
    const rows = this.#state.all(sql, ...values, limit + 1)
    const page = rows.slice(0, limit)
    return {
      events: page.map(({event}): unknown => JSON.parse(String(event))).filter(isEvent),
      next: rows.length > limit ? String(page.at(-1)?.id) : undefined,
    }
  }

  /**
   * The events as lines of JSON with all their details, the oldest first.
   * @param after only those after the one with this id; all if that one was deleted
   * @throws StateError
   */
  lines(after = '', limit = -1): string[] {
    const first = 'coalesce((SELECT number FROM audit_event WHERE id = ?), 0)'
    const sql = `SELECT id, event FROM audit_event WHERE number > ${first} ORDER BY number LIMIT ?`
    return this.#state.all(sql, after, limit).map(({event}) => String(event))
  }

  /** Records what was omitted. */
  close(): void {
    let count = 0
    for (const failed of this.#failures.values()) count += Math.max(0, failed - MAX_FAILURES)
    this.#failures.clear()
    if (count > 0) this.#add({type: 'signIn.omitted', count})
  }

  #add(event: AuditEvent): void {
    try {
      this.#state.transaction(() => {
        this.#state.run(INSERT, ...rowOf(event))
        this.#deleteExcess()
        const oldest = new Date(Math.max(0, Date.now() - this.#kept.days * DAY)).toISOString()
        this.#state.run('DELETE FROM audit_event WHERE at < ?', oldest)
      })
    } catch (err) {
      if (this.#state.isInTransaction) throw err
      // Logs a failure once, however many events it loses.
      if (!this.#isFailing) this.#logger.error({err}, `The audit log cannot be written: ${errorMessage(err)}`)
      this.#isFailing = true
      return
    }
    if (this.#isFailing) this.#logger.info('The audit log can be written again')
    this.#isFailing = false
  }
}

const INSERT = 'INSERT INTO audit_event (id, at, kind, by_id, about_id, event) VALUES (?, ?, ?, ?, ?, ?)'

/** The values of {@link INSERT} for an event. Long texts are cut, so that no event can fill the log. */
function rowOf(event: AuditEvent) {
  const {type, ...details} = event
  const [id, at, kind = ''] = [v7(), new Date().toISOString(), type.split('.')[0]]
  const by = 'by' in event ? event.by.id : null
  const about = 'about' in event ? event.about?.id : undefined
  const documents = 'documents' in event ? event.documents : []
  const cut = {documents: documents.slice(0, MAX_DOCUMENTS), count: documents.length}
  const line = JSON.stringify(
    {id, at, type, text: describeEvent(event), ...details, ...(documents.length > MAX_DOCUMENTS && cut)},
    (_key, value: unknown) =>
      typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value,
  )
  return [id, at, kind, by, about ?? null, line]
}

function isEvent(value: unknown): value is StoredEvent {
  return isJsonObject(value) && ['id', 'at', 'text'].every((name) => typeof value[name] === 'string')
}
