import {constants, deflateRawSync, inflateRawSync} from 'node:zlib'
import {LRUCache} from 'lru-cache'
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
export type ServedTool = DocumentRevision & {readonly name: string}

type Texts = {
  readonly document: string
  readonly served: readonly ServedTool[]
  readonly tools: readonly string[]
}

/** A document, as JSON: after the tools that are its dictionary, or, if it begins at 0, not compressed. */
export type PackedDocument = {readonly texts: Uint8Array; readonly documentAt: number}

/** @throws if a text is damaged */
export function unpackedDocument({texts, documentAt}: PackedDocument): unknown {
  if (documentAt === 0) return JSON.parse(Buffer.from(texts).toString())
  const dictionary = inflateRawSync(texts.subarray(0, documentAt))
  return JSON.parse(inflateRawSync(texts.subarray(documentAt), {dictionary}).toString())
}

/** How many sites keep their texts uncompressed too. Each takes up to half a megabyte. */
export const MAX_RECENT = 16

/** Texts that were just compressed, because the request that a site was fetched for needs them immediately. */
const recent = new LRUCache<SiteTexts, Texts>({max: MAX_RECENT})

/**
 * Higher levels take up to twice as long, to save a twentieth. The sizes of the output at a time are usually enough:
 * by default, each compression allocates 16 KB, and V8 collects garbage more often.
 */
const TOOLS = {level: constants.Z_BEST_SPEED, chunkSize: 4_096}
const DOCUMENT = {level: constants.Z_BEST_SPEED, chunkSize: 1_024}

/**
 * What takes most of a site's memory and is rarely needed, because entity tags and encoded bodies are cached: its
 * document, for snapshots, its tools as they are served, and the revisions of these. The document repeats the texts of
 * its tools. So these are its dictionary: then it takes a fifth, and a request, which needs only the tools, does not
 * decompress it.
 */
export class SiteTexts {
  /** If compressed: a line for `served` and one for each tool, then the document. */
  readonly #kept: Uint8Array | Texts
  /** Where the document begins. */
  readonly #documentAt: number = 0
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
      const lines = Buffer.from([JSON.stringify(served), ...tools].join('\n'))
      const packedTools = deflateRawSync(lines, TOOLS)
      const packedDocument = deflateRawSync(json, {...DOCUMENT, dictionary: lines})
      this.#documentAt = packedTools.byteLength
      this.#kept = new Uint8Array(packedTools.byteLength + packedDocument.byteLength)
      this.#kept.set(packedTools)
      this.#kept.set(packedDocument, this.#documentAt)
      this.bytes = this.#kept.byteLength
      recent.set(this, {document: json, served, tools})
    }
  }

  /** The document that the site was compiled from, as a snapshot keeps it. It is not compressed again. */
  packed(): PackedDocument {
    return this.#kept instanceof Uint8Array
      ? {texts: this.#kept, documentAt: this.#documentAt}
      : {texts: Buffer.from(this.#kept.document), documentAt: 0}
  }

  /** Returns the members of `tools` and `formTools` as JSON, in their order. */
  tools(): readonly string[] {
    const texts = this.#unpacked()
    return texts instanceof Uint8Array ? this.#lines(texts).toString().split('\n').slice(1) : texts.tools
  }

  /** Returns the revisions of the tools, in their order. */
  served(): readonly ServedTool[] {
    const texts = this.#unpacked()
    if (!(texts instanceof Uint8Array)) return texts.served
    const [served = ''] = this.#lines(texts).toString().split('\n', 1)
    return parseServed(served)
  }

  /** The texts, if they are in memory uncompressed too. */
  #unpacked(): Uint8Array | Texts {
    return this.#kept instanceof Uint8Array ? (recent.get(this) ?? this.#kept) : this.#kept
  }

  #lines(packed: Uint8Array): Buffer {
    return inflateRawSync(packed.subarray(0, this.#documentAt))
  }
}

const NOT_LATIN = /[^\0-\xff]/

function parseServed(json: string): ServedTool[] {
  const served: unknown = JSON.parse(json)
  return Array.isArray(served) ? served.filter(isServedTool) : []
}

function isServedTool(value: unknown): value is ServedTool {
  return (
    isJsonObject(value) &&
    [value.documentId, value.revision, value.name].every((text) => typeof text === 'string')
  )
}
