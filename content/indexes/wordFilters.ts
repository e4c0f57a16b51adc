import {isJsonObject} from '../../common/json.ts'
import type {Document} from '../document.ts'
import type {IndexName} from '../keys.ts'

/** The name of the filters over all texts of a document. */
export const ALL_TEXT: IndexName = '\0text'

/** Maximum attributes with filters, besides {@link ALL_TEXT}. */
const MAX_ATTRIBUTES = 8

/** 32-bit integers of a filter: of an attribute, and of all texts of a document. */
const ATTRIBUTE_SIZE = 8
const DOCUMENT_SIZE = 64

/** The lengths of the beginnings of words that a filter contains. */
const LENGTHS: readonly number[] = [1, 2, 3, 5, 8, 12]
const IS_LENGTH = Array.from({length: 13}, (_, length) => LENGTHS.includes(length))

type Filters = {
  /** In the order of slots. Slots that were added later may be missing at the end. */
  bits: Uint32Array
  readonly size: number
  /** Slots before this one are filled. */
  filled: number
}

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
  /** In the order of last use. */
  readonly #filters = new Map<IndexName, Filters>()

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
      for (const [name, filters] of this.#filters) if (slot < filters.filled) fill(name, filters, slot, after)
    }
  }

  /** Fills the filters of a text. */
  prepare(name: IndexName): void {
    const filters = this.#named(name)
    const count = this.#documents.length
    if (filters.bits.length < count * filters.size) {
      // Some more, so that each new document does not copy all.
      const bits = new Uint32Array(Math.ceil(count * 1.1) * filters.size)
      bits.set(filters.bits)
      filters.bits = bits
    }
    while (filters.filled < count) {
      fill(name, filters, filters.filled, this.#documents[filters.filled])
      filters.filled += 1
    }
  }

  /** The documents that may have such words, in no particular order. Call {@link prepare} before. */
  find(name: IndexName, {texts, all}: Beginnings): readonly Document[] {
    const {bits, size} = this.#named(name)
    const wanted = texts.map((text) => placesOf(text, size * 32))
    const found: Document[] = []
    let start = 0
    const has = (places: readonly number[]) => places.every((place) => isSet(bits, start, place))
    for (const [slot, document] of this.#documents.entries()) {
      start = slot * size
      if (document === undefined) continue
      if (all ? wanted.every(has) : wanted.some(has)) found.push(document)
    }
    return found
  }

  #named(name: IndexName): Filters {
    const size = name === ALL_TEXT ? DOCUMENT_SIZE : ATTRIBUTE_SIZE
    const filters = this.#filters.get(name) ?? {bits: new Uint32Array(0), size, filled: 0}
    this.#filters.delete(name)
    this.#filters.set(name, filters)
    const attributes = [...this.#filters.keys()].filter((other) => other !== ALL_TEXT)
    if (attributes.length > MAX_ATTRIBUTES) this.#filters.delete(attributes[0] ?? '')
    return filters
  }
}

function fill(name: IndexName, {bits, size}: Filters, slot: number, document: Document | undefined): void {
  const start = slot * size
  bits.fill(0, start, start + size)
  const add = (text: string) =>
    eachBeginning(text, size * 32, (place) => {
      bits[start + (place >>> 5)] = (bits[start + (place >>> 5)] ?? 0) | (1 << (place & 31))
    })
  if (name === ALL_TEXT) eachText(document, add)
  else for (const text of textsAt(document, name.split('\0'))) add(text)
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

/** What `match` searches at an attribute path: a string, or the strings of a list. */
function textsAt(document: unknown, path: readonly string[]): readonly string[] {
  let value = document
  for (const segment of path)
    value = isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
  return (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string')
}

const DOT = 46
const UNDERSCORE = 95

/**
 * Calls back with a place in a filter for each beginning of each run of ASCII letters, digits and underscores, without
 * regard to case. The words of `match` may be longer, but begin like one of these runs if they begin with such a
 * character. It removes dots from words, so they do not count.
 */
function eachBeginning(text: string, places: number, onPlace: (place: number) => void): void {
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
      onPlace((mixed >>> 8) % places)
      onPlace((mixed >>> 20) % places)
    } else {
      hash = 0
      length = 0
    }
  }
}

/** The places of one beginning. */
function placesOf(text: string, places: number): readonly number[] {
  const found: number[] = []
  eachBeginning(text, places, (place) => found.push(place))
  return found
}
