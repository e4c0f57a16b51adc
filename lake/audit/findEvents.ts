import {setImmediate} from 'node:timers/promises'
import {isJsonObject} from '../../common/json.ts'
import type {AuditFiles} from './auditFiles.ts'
import type {AuditKind} from './events.ts'

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

/** An event as the file has it, without the details of its type. */
type FoundEvent = {
  readonly id: string
  readonly at: string
  readonly type: string
  /** The event as a sentence. */
  readonly text: string
  readonly by?: Party
  readonly about?: Party
  readonly client?: string
}

type Party = {readonly id: string; readonly name: string}

export type AuditPage = {
  /** The latest first. */
  readonly events: readonly FoundEvent[]
  /** The id after which the next page begins; undefined at the end. */
  readonly next: string | undefined
}

/** Lines that are parsed before other requests get a turn. */
const SLICE = 500

/** Searches the files from the latest event to the oldest one. */
export async function findEvents(files: AuditFiles, query: AuditQuery): Promise<AuditPage> {
  const events: FoundEvent[] = []
  let isReached = query.after === undefined
  let parsed = 0
  for await (const text of files.texts()) {
    for (const line of text.split('\n').reverse()) {
      parsed += 1
      if (parsed % SLICE === 0) await setImmediate()
      const event = parseLine(line)
      if (event === undefined) continue
      if (!isReached) isReached = event.id === query.after
      // Lines are in the order of time, but for the milliseconds between two processes.
      else if (query.since !== undefined && event.at < query.since) return {events, next: undefined}
      else if (isSelected(event, query)) {
        const last = events.at(-1)
        if (events.length === query.limit) return {events, next: last?.id}
        // After a failure to flush, a line may be there twice.
        if (last?.id !== event.id) events.push(event)
      }
    }
  }
  return {events, next: undefined}
}

function isSelected({type, by, about}: FoundEvent, {kind, person}: AuditQuery): boolean {
  if (kind !== undefined && !type.startsWith(`${kind}.`)) return false
  return person === undefined || by?.id === person || about?.id === person
}

/** Returns undefined for a line that a crash cut off. */
function parseLine(line: string): FoundEvent | undefined {
  if (line === '') return undefined
  try {
    return parseEvent(JSON.parse(line))
  } catch {
    return undefined
  }
}

function parseEvent(value: unknown): FoundEvent | undefined {
  if (!isJsonObject(value)) return undefined
  const {id, at, type, text, client} = value
  if (typeof id !== 'string' || typeof at !== 'string') return undefined
  if (typeof type !== 'string' || typeof text !== 'string') return undefined
  const [by, about] = [parseParty(value.by), parseParty(value.about)]
  return {
    id,
    at,
    type,
    text,
    ...(by && {by}),
    ...(about && {about}),
    ...(typeof client === 'string' && {client}),
  }
}

function parseParty(value: unknown): Party | undefined {
  if (!isJsonObject(value)) return undefined
  const {id, name} = value
  return typeof id === 'string' && typeof name === 'string' ? {id, name} : undefined
}
