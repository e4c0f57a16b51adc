import {isRecord} from '../../schemas/rules/json.ts'

/** The previews that were started in this browser. Its tabs share the list. */
const KEY = 'handrail.previews'

/** Hours for which a preview is renewed: a tab with Studio that is never closed must not keep a link valid. */
export const MAX_HOURS = 12

/** How far the clock may have been ahead, in milliseconds. A preview that began later would be renewed for longer. */
const MAX_AHEAD = 300_000

/** Maximum previews to remember. */
const MAX_STARTED = 50

/** The part of the browser's storage that is used. */
type Items = Pick<Storage, 'getItem' | 'setItem'>

type Started = {readonly id: string; readonly startedAt: number}

/** Remembers a preview. */
export function remember(id: string, storage: Items, now = Date.now()): void {
  const others = read(storage, now).filter((one) => one.id !== id)
  try {
    storage.setItem(KEY, JSON.stringify([...others, {id, startedAt: now}].slice(-MAX_STARTED)))
  } catch {
    // Without storage, the preview ends after an hour.
  }
}

/** The ids of the previews that may be renewed. */
export function rememberedIds(storage: Items, now = Date.now()): string[] {
  return read(storage, now).map(({id}) => id)
}

function read(storage: Items, now: number): Started[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(stored)
      ? stored
          .flatMap(startedIn)
          .filter(({startedAt}) => startedAt <= now + MAX_AHEAD && startedAt > now - MAX_HOURS * 3_600_000)
      : []
  } catch {
    return []
  }
}

function startedIn(value: unknown): Started[] {
  if (!isRecord(value)) return []
  const {id, startedAt} = value
  return typeof id === 'string' && typeof startedAt === 'number' ? [{id, startedAt}] : []
}
