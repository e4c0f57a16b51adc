import {jsonIn} from '../../common/json.ts'
import {type Fields, recordsIn} from '../../schemas/record.ts'

/** Hours for which an entry is kept. */
export const MAX_HOURS = 12

/** How far the clock may have been ahead, in milliseconds. An entry that was made later would be kept for longer. */
const MAX_AHEAD = 300_000

/** Maximum entries to keep. */
const MAX_ENTRIES = 50

/** The part of the browser's storage that is used. */
type Items = Pick<Storage, 'getItem' | 'setItem'>

type Entry = {readonly startedAt: number}

/** A list in the browser's storage, which its tabs share. Entries are kept for some hours. */
export class RecentEntries<Known extends {readonly id: string}> {
  readonly #key: string
  readonly #parse: (stored: Fields) => Known | undefined

  /** @param parse returns undefined for what is no entry. */
  constructor(key: string, parse: (stored: Fields) => Known | undefined) {
    this.#key = key
    this.#parse = parse
  }

  /** Adds an entry, in place of the one with the same id. */
  add(entry: Known, storage: Items, now = Date.now()): void {
    const others = this.list(storage, now).filter(({id}) => id !== entry.id)
    storage.setItem(this.#key, JSON.stringify([...others, {...entry, startedAt: now}].slice(-MAX_ENTRIES)))
  }

  /** The entries, the oldest first. */
  list(storage: Items, now = Date.now()): (Known & Entry)[] {
    return recordsIn(jsonIn(storage.getItem(this.#key) ?? '')).flatMap((entry) => {
      const {startedAt} = entry
      if (typeof startedAt !== 'number') return []
      const known = this.#parse(entry)
      const isKept = startedAt <= now + MAX_AHEAD && startedAt > now - MAX_HOURS * 3_600_000
      return known === undefined || !isKept ? [] : [{...known, startedAt}]
    })
  }
}
