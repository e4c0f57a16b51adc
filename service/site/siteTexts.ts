import {LRUCache} from 'lru-cache'
import snappy from 'snappy'
import {isJsonObject} from '../../common/json.ts'
import type {DocumentRevision} from '../documentRevision.ts'
import type {SiteDocument} from '../upstream/siteDocument.ts'

/**
 * Maximum length of texts to compress. Longer ones would block requests for a millisecond each time they are
 * compressed or decompressed.
 */
const MAX_COMPRESSED = 256 * 1_024

/** Memory use in bytes of a `ServedTool` that is not compressed. */
const SERVED_BYTES = 250

/** A tool or form tool that passed every rule. */
export type ServedTool = DocumentRevision & {
  /** Whether it has a field that was added since version 0.1: see `extendedName`. */
  isExtended?: boolean
}

type Texts = {document: string; served: readonly ServedTool[]; tools: readonly string[]}

/** How many sites keep their texts uncompressed too. Each takes up to half a megabyte. */
export const MAX_RECENT = 16

/** Texts that were just compressed, because the request that a site was fetched for needs them immediately. */
const recent = new LRUCache<SiteTexts, Texts>({max: MAX_RECENT})

/**
 * What takes most of a site's memory and is rarely needed, because entity tags and encoded bodies are cached: its
 * document, for snapshots, its tools as they are served, and the revisions of these. Compressed with snappy, which
 * decompresses a site in a tenth of the time of brotli, because a request may wait for it.
 */
export class SiteTexts {
  /** If compressed, a line for the document, one for `served`, and one for each tool. */
  readonly #kept: Uint8Array | Texts
  /** Memory use in bytes. */
  readonly bytes: number

  /**
   * @param tools the members of `tools` and `formTools` as JSON.
   * @param served the same tools.
   */
  constructor(document: SiteDocument, tools: readonly string[], served: readonly ServedTool[]) {
    const json = JSON.stringify(document)
    const characters = tools.reduce((sum, {length}) => sum + length, json.length)
    if (characters > MAX_COMPRESSED) {
      this.#kept = {document: json, served, tools}
      // V8 uses one byte per character if a string is all Latin-1, otherwise two.
      const width = [json, ...tools].some((text) => NOT_LATIN.test(text)) ? 2 : 1
      this.bytes = characters * width + SERVED_BYTES * served.length
    } else {
      // Copied, because the memory of the result is not exactly as large.
      this.#kept = new Uint8Array(snappy.compressSync([json, JSON.stringify(served), ...tools].join('\n')))
      this.bytes = this.#kept.byteLength
      recent.set(this, {document: json, served, tools})
    }
  }

  /** Returns the document that the site was compiled from, as JSON. */
  documentJson(): string {
    return this.#texts().document
  }

  /** Returns the members of `tools` and `formTools` as JSON, in their order. */
  tools(): readonly string[] {
    return this.#texts().tools
  }

  /** Returns the revisions of the tools, in their order. */
  served(): readonly ServedTool[] {
    return this.#texts(true).served
  }

  #texts(withServed = false): Texts {
    if (!(this.#kept instanceof Uint8Array)) return this.#kept
    const known = recent.get(this)
    if (known) return known
    const [document = '', served = '', ...tools] = snappy
      .uncompressSync(this.#kept, {asBuffer: false})
      .toString()
      .split('\n')
    return {document, served: withServed ? parseServed(served) : [], tools}
  }
}

const NOT_LATIN = /[^\0-\xff]/

function parseServed(json: string): ServedTool[] {
  const served: unknown = JSON.parse(json)
  return Array.isArray(served) ? served.filter(isServedTool) : []
}

function isServedTool(value: unknown): value is ServedTool {
  return isJsonObject(value) && typeof value.documentId === 'string' && typeof value.revision === 'string'
}
