import {LRUCache} from 'lru-cache'
import type {Encoding} from '../../common/http/acceptedEncodings.ts'
import type {SiteConfig} from '../site/compiledSite.ts'
import {choose, compressed, plain, type Representation} from './representations.ts'

/** Minimum body size to compress, in bytes. Below it, compression saves no packet. */
const WORTH_COMPRESSING = 1_000

/** Memory of the objects that hold a body in one encoding. A compressed config of 5 KB has only twice as many bytes. */
export const OBJECTS_BYTES = 600

type EncodableConfig = Pick<SiteConfig, 'entityTag' | 'encode'>

/** A body in the encodings that clients asked for. */
type Kept = Readonly<Record<Encoding, Representation | undefined>>

const NOTHING: Kept = {identity: undefined, br: undefined, gzip: undefined}

/**
 * Encoded bodies by entity tag, in the encodings that clients accept, limited by the memory that they take. Visitors
 * choose paths, not tags, so they cannot fill this cache.
 */
export class Bodies {
  readonly #bodies: LRUCache<string, Kept>
  /**
   * Only one body is compressed at a time, so that publishing a large site does not block file and DNS
   * operations in the thread pool.
   */
  #isCompressing = false

  /**
   * @param maxBytes approximate limit for all bodies together. A body larger than that is encoded again for each
   * request.
   */
  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({maxSize: maxBytes, sizeCalculation: sizeOf})
  }

  /**
   * Returns the body of a config, encoded once in each encoding while it stays in the cache. The client's preferred
   * encoding is produced in the background, for later requests.
   * @param accepted encodings that the client accepts, the best one first.
   */
  bodyOf(config: EncodableConfig, accepted: readonly Encoding[]): Representation {
    const known = this.#bodies.get(config.entityTag) ?? NOTHING
    const [best = 'identity'] = accepted
    const wanted = known[best]
    if (wanted) return wanted
    const identity = known.identity ?? this.#encode(config, known)
    if (best !== 'identity') this.#compressInBackground(identity, best)
    return choose(known.identity ? known : {...known, identity}, accepted) ?? identity
  }

  #encode(config: EncodableConfig, known: Kept): Representation {
    const {entityTag} = config
    const identity = plain(config.encode(), entityTag)
    this.#bodies.set(entityTag, {...known, identity})
    return identity
  }

  /**
   * The plain body then leaves the cache, which has room for three to five times as many compressed ones. The few
   * clients that want it bring it back.
   */
  #compressInBackground(identity: Representation, encoding: Exclude<Encoding, 'identity'>): void {
    const {entityTag, body} = identity
    if (this.#isCompressing || body.byteLength < WORTH_COMPRESSING || !this.#bodies.has(entityTag)) return
    this.#isCompressing = true
    // If compression fails, the plain body is used.
    const keep = (representation = identity) => {
      this.#isCompressing = false
      const known = this.#bodies.peek(entityTag)
      if (known) this.#bodies.set(entityTag, {...known, identity: undefined, [encoding]: representation})
    }
    compressed(identity, encoding, 'moderate').then(keep, () => keep())
  }
}

function sizeOf({identity, br, gzip}: Kept): number {
  return bytesOf(identity) + bytesOf(br) + bytesOf(gzip)
}

function bytesOf(representation: Representation | undefined): number {
  return representation === undefined ? 0 : representation.body.byteLength + OBJECTS_BYTES
}
