import {constants, deflateRawSync, inflateRawSync} from 'node:zlib'
import type {DocumentRevision} from '../documentRevision.ts'

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
  readonly served: readonly ServedTool[]
  readonly tools: readonly string[]
}

/**
 * Higher levels take up to twice as long, to save a twentieth. The size of the output at a time is usually enough:
 * by default, each compression allocates 16 KB, and V8 collects garbage more often.
 */
const OPTIONS = {level: constants.Z_BEST_SPEED, chunkSize: 4_096}

/**
 * What takes most of a site's memory and is rarely needed, because entity tags and encoded bodies are cached: its tools as they
 * are served, and the revisions of these.
 */
export class SiteTexts {
  /** If compressed: a line for `served` and one for each tool. */
  readonly #kept: Uint8Array | Texts
  /** Memory use in bytes. */
  readonly bytes: number

  /**
   * @param tools the members of `tools` and `formTools` as JSON.
   * @param served the same tools.
   */
  constructor(tools: readonly string[], served: readonly ServedTool[]) {
    const characters = tools.reduce((sum, {length}) => sum + length, 0)
    if (characters > MAX_COMPRESSED) {
      this.#kept = {served, tools}
      // V8 uses one byte per character if a string is all Latin-1, otherwise two.
      const width = tools.some((text) => NOT_LATIN.test(text)) ? 2 : 1
      this.bytes = characters * width + SERVED_BYTES * served.length
    } else {
      // Copied, because the result is a part of the output.
      this.#kept = new Uint8Array(deflateRawSync([JSON.stringify(served), ...tools].join('\n'), OPTIONS))
      this.bytes = this.#kept.byteLength
    }
  }

  /** Returns the members of `tools` and `formTools` as JSON, in their order. */
  tools(): readonly string[] {
    return this.#kept instanceof Uint8Array ? linesOf(this.#kept).slice(1) : this.#kept.tools
  }

  /** Returns the revisions of the tools, in their order. */
  served(): readonly ServedTool[] {
    if (!(this.#kept instanceof Uint8Array)) return this.#kept.served
    const [line = ''] = linesOf(this.#kept, 1)
    // What the constructor wrote.
    const served: ServedTool[] = JSON.parse(line)
    return served
  }
}

function linesOf(packed: Uint8Array, limit?: number): string[] {
  return inflateRawSync(packed).toString().split('\n', limit)
}

const NOT_LATIN = /[^\0-\xff]/
