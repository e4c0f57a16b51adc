import {brotliCompressSync, constants, gzipSync} from 'node:zlib'
import {LRUCache} from 'lru-cache'
import type {SiteConfig} from '../site/compiledSite.ts'
import type {Encoding} from './encodings.ts'

/**
 * Sizes of bodies that are compressed, in bytes. Shorter ones fit into a packet as they are, longer ones would block requests for
 * more than ten milliseconds.
 */
const WORTH_COMPRESSING = 1_000
const MAX_COMPRESSED = 256 * 1_024

/** Memory of the objects that hold a body. */
export const OBJECTS_BYTES = 600

/** Whether a body of this size is compressed. */
export function isCompressed({bytes}: Pick<SiteConfig, 'bytes'>): boolean {
  return bytes >= WORTH_COMPRESSING && bytes <= MAX_COMPRESSED
}

/** Encoded bodies by entity tag, limited by the memory that they take. Visitors choose paths, not tags, so they cannot fill this cache. */
export class Bodies {
  readonly #bodies: LRUCache<string, Buffer>

  /** @param maxBytes approximate limit for all bodies. A larger one is encoded again for each request. */
  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({byteLength}) => byteLength + OBJECTS_BYTES,
    })
  }

  /** @param entityTag of the config in this encoding. */
  bodyOf(config: Pick<SiteConfig, 'encode'>, encoding: Encoding, entityTag: string): Buffer {
    const known = this.#bodies.get(entityTag)
    if (known) return known
    const body = alone(compress[encoding](config.encode()))
    this.#bodies.set(entityTag, body)
    return body
  }
}

/**
 * Copies a buffer into its own memory. Short buffers, and results of Node's zlib, are slices of a 64 KB
 * block, which stays in memory as long as the slice: a hundred times what a cache that counts bytes would
 * assume.
 */
function alone(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.byteLength) return body
  const copy = Buffer.allocUnsafeSlow(body.byteLength)
  body.copy(copy)
  return copy
}

const compress: Readonly<Record<Encoding, (text: Buffer) => Buffer>> = {
  identity: (text) => text,
  br: (text) =>
    brotliCompressSync(text, {
      params: {
        // For 10 KB of JSON, level 5 takes 0.2 ms; level 11 takes 20 ms and saves another 6 %.
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.byteLength,
      },
    }),
  gzip: (text) => gzipSync(text),
}
