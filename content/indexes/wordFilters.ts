import {isJsonObject} from '../../common/json.ts'
import type {Document} from '../document.ts'

/** 32-bit integers of the filter of a document, and the places in them. */
const SIZE = 64
const PLACES = SIZE * 32

/** The lengths of the beginnings of words that a filter contains. */
const LENGTHS: readonly number[] = [1, 2, 3, 5, 8, 12]
const IS_LENGTH = Array.from({length: 13}, (_, length) => LENGTHS.includes(length))

/** What the words of a text have to begin with: all of these, or one of them. */
export type Beginnings = {readonly texts: readonly string[]; readonly all: boolean}

/**
 * A Bloom filter per document of how its words begin, so that a search reads few documents that have no such
 * word. It takes the same memory for any text: an index of words would take several times that of the documents.
 */
export class WordFilters {
  readonly #documents: (Document | undefined)[] = []
  readonly #slots = new Map<string, number>()
  readonly #free: number[] = []
  /** In the order of slots. Slots that were added later may be missing at the end. */
  #bits = new Uint32Array(0)
  /** Slots before this one are filled. */
  #filled = 0

  constructor(documents: Iterable<Document>) {
    for (const document of documents) this.change(undefined, document)
  }

  /** Records that a document was added, replaced or deleted. */
  change(before: Document | undefined, after: Document | undefined): void {
    const id = (after ?? before)?._id
    if (id === undefined) return
    const slot = this.#slots.get(id) ?? this.#free.pop() ?? this.#documents.length
    this.#documents[slot] = after
    if (after === undefined) {
      this.#slots.delete(id)
      this.#free.push(slot)
    } else {
      this.#slots.set(id, slot)
      if (slot < this.#filled) this.#fill(slot)
    }
  }

  /** Fills the filters of documents that were added. */
  prepare(): void {
    const count = this.#documents.length
    if (this.#bits.length < count * SIZE) {
      // Some more, so that each new document does not copy all.
      const bits = new Uint32Array(Math.ceil(count * 1.1) * SIZE)
      bits.set(this.#bits)
      this.#bits = bits
    }
    for (; this.#filled < count; this.#filled += 1) this.#fill(this.#filled)
  }

  /** The documents that may have such words, in no particular order. Call {@link prepare} before. */
  find({texts, all}: Beginnings): readonly Document[] {
    const wanted = texts.map(placesOf)
    const found: Document[] = []
    let start = 0
    const has = (places: readonly number[]) => places.every((place) => isSet(this.#bits, start, place))
    for (const [slot, document] of this.#documents.entries()) {
      start = slot * SIZE
      if (document === undefined) continue
      if (all ? wanted.every(has) : wanted.some(has)) found.push(document)
    }
    return found
  }

  #fill(slot: number): void {
    const bits = this.#bits
    const start = slot * SIZE
    bits.fill(0, start, start + SIZE)
    const add = (place: number) => {
      bits[start + (place >>> 5)] = (bits[start + (place >>> 5)] ?? 0) | (1 << (place & 31))
    }
    eachText(this.#documents[slot], (text) => eachBeginning(text, add))
  }
}

function isSet(bits: Uint32Array, start: number, place: number): boolean {
  return ((bits[start + (place >>> 5)] ?? 0) & (1 << (place & 31))) !== 0
}

/** Calls back for every string in a value. */
function eachText(value: unknown, onText: (text: string) => void): void {
  if (typeof value === 'string') onText(value)
  else if (Array.isArray(value)) for (const item of value) eachText(item, onText)
  else if (isJsonObject(value)) for (const name in value) eachText(value[name], onText)
}

const DOT = 46
const UNDERSCORE = 95

/**
 * Calls back with a place in a filter for each beginning of each run of ASCII letters, digits and underscores, without
 * regard to case. The words of `match` may be longer, but begin like one of these runs if they begin with such a
 * character. It removes dots from words, so they do not count.
 */
function eachBeginning(text: string, onPlace: (place: number) => void): void {
  let hash = 0
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === DOT) continue
    const lower = code >= 65 && code <= 90 ? code + 32 : code
    if ((lower >= 97 && lower <= 122) || (lower >= 48 && lower <= 57) || lower === UNDERSCORE) {
      length += 1
      if (length >= IS_LENGTH.length) continue
      hash = Math.imul(hash ^ lower, 0x01000193) + 0x9e3779b9
      if (!IS_LENGTH[length]) continue
      const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
      onPlace((mixed >>> 8) % PLACES)
      onPlace((mixed >>> 20) % PLACES)
    } else {
      hash = 0
      length = 0
    }
  }
}

/** The places of one beginning. */
function placesOf(text: string): readonly number[] {
  const found: number[] = []
  eachBeginning(text, (place) => found.push(place))
  return found
}
