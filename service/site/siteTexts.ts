import {brotliCompressSync, brotliDecompressSync, constants} from 'node:zlib'
import type {SiteDocument} from '../upstream/siteDocument.ts'

/** Characters beyond which to compress and to read again would keep requests waiting for milliseconds. */
const MAX_COMPRESSED = 256 * 1_024

/** A third to a half of the time that deflate took at level 3, and of many tools it makes fewer bytes. */
const PARAMS = {[constants.BROTLI_PARAM_QUALITY]: 1}

/**
 * The long texts of a site: its document, which a snapshot is written from, and its tools as they are served. They are
 * most of what a site takes, and are seldom asked for: a finished body is kept. So they are kept compressed.
 */
export class SiteTexts {
  /** The document, then each tool, as JSON; compressed with line breaks between them. */
  readonly #kept: Uint8Array | readonly string[]
  /** How much memory they take. */
  readonly bytes: number

  /** @param tools the members of `tools` and `formTools` as JSON. */
  constructor(document: SiteDocument, tools: readonly string[]) {
    const texts = [JSON.stringify(document), ...tools]
    const characters = texts.reduce((sum, {length}) => sum + length, 0)
    if (characters > MAX_COMPRESSED) {
      this.#kept = texts
      // V8 takes one byte for each character of a text that is all Latin-1, else two.
      this.bytes = characters * (texts.some((text) => NOT_LATIN.test(text)) ? 2 : 1)
    } else {
      // A copy: what is answered is part of a larger piece of memory.
      this.#kept = new Uint8Array(brotliCompressSync(texts.join('\n'), {params: PARAMS}))
      this.bytes = this.#kept.byteLength
    }
  }

  /** The document that the site was compiled from. */
  document(): SiteDocument {
    return JSON.parse(this.#texts()[0] ?? '')
  }

  /** The members of `tools` and `formTools` as JSON, in their order. */
  tools(): readonly string[] {
    return this.#texts().slice(1)
  }

  #texts(): readonly string[] {
    const kept = this.#kept
    return kept instanceof Uint8Array ? brotliDecompressSync(kept).toString().split('\n') : kept
  }
}

const NOT_LATIN = /[^\0-\xff]/
