import {brotliCompressSync, brotliDecompressSync, constants} from 'node:zlib'
import type {SiteDocument} from '../upstream/siteDocument.ts'

/**
 * Maximum length of texts to compress. Longer ones would block requests for milliseconds each time they are
 * compressed or decompressed.
 */
const MAX_COMPRESSED = 256 * 1_024

/** Takes a third to a half of the time of deflate at level 3, and compresses many tools better. */
const PARAMS = {[constants.BROTLI_PARAM_QUALITY]: 1}

/**
 * The long texts of a site: its document, for snapshots, and its tools as they are served. They take most of
 * a site's memory but are rarely needed, because encoded bodies are cached. So they are stored compressed.
 */
export class SiteTexts {
  /** The document and each tool as JSON. If compressed, they are separated by line breaks. */
  readonly #kept: Uint8Array | readonly string[]
  /** Memory use in bytes. */
  readonly bytes: number

  /** @param tools the members of `tools` and `formTools` as JSON. */
  constructor(document: SiteDocument, tools: readonly string[]) {
    const texts = [JSON.stringify(document), ...tools]
    const characters = texts.reduce((sum, {length}) => sum + length, 0)
    if (characters > MAX_COMPRESSED) {
      this.#kept = texts
      // V8 uses one byte per character if a string is all Latin-1, otherwise two.
      this.bytes = characters * (texts.some((text) => NOT_LATIN.test(text)) ? 2 : 1)
    } else {
      // Copied, because the result is a slice of a larger block of memory.
      this.#kept = new Uint8Array(brotliCompressSync(texts.join('\n'), {params: PARAMS}))
      this.bytes = this.#kept.byteLength
    }
  }

  /** Returns the document that the site was compiled from, as JSON. */
  documentJson(): string {
    return this.#texts()[0] ?? ''
  }

  /** Returns the members of `tools` and `formTools` as JSON, in their order. */
  tools(): readonly string[] {
    return this.#texts().slice(1)
  }

  #texts(): readonly string[] {
    const kept = this.#kept
    return kept instanceof Uint8Array ? brotliDecompressSync(kept).toString().split('\n') : kept
  }
}

const NOT_LATIN = /[^\0-\xff]/
