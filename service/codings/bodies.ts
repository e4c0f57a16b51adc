import {LRUCache} from 'lru-cache'
import type {SiteConfig} from '../site/siteConfig.ts'
import type {Coding} from './acceptedCodings.ts'
import {choose, compressed, plain, type Representation, type Representations} from './representations.ts'

/** Minimum body size to compress, in bytes. Below it, compression saves no packet. */
const WORTH_COMPRESSING = 1_000

/**
 * Encoded bodies by entity tag, in the codings that clients accept, limited by total bytes. Visitors
 * choose paths, not tags, so they cannot fill this cache.
 */
export class Bodies {
  readonly #bodies: LRUCache<string, Representations>
  /** Bytes of all bodies that were not kept since the start. */
  #notKept = 0
  /**
   * Only one body is compressed at a time, so that publishing a large site does not block file and DNS
   * operations in the thread pool.
   */
  #isCompressing = false

  /**
   * @param maxBytes limit for all bodies together. A body larger than that is encoded again for each request.
   */
  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({maxSize: maxBytes, sizeCalculation: sizeOf})
  }

  /**
   * Returns the body of a config, encoded once while it stays in the cache. The client's preferred coding is
   * produced in the background, for later requests.
   * @param accepted codings that the client accepts, the best one first.
   */
  bodyOf(config: SiteConfig, accepted: readonly Coding[]): Representation {
    const known = this.#bodies.get(config.entityTag) ?? this.#encode(config)
    const [best = 'identity'] = accepted
    if (best !== 'identity' && !known[best]) this.#compressInBackground(known, best)
    return choose(known, accepted)
  }

  #encode(config: SiteConfig): Representations {
    const {entityTag} = config
    const body = config.encode()
    if (!this.#mayKeep(config, body.byteLength)) return {identity: {coding: 'identity', entityTag, body}}
    const all: Representations = {identity: plain(body, entityTag)}
    this.#bodies.set(entityTag, all)
    return all
  }

  /**
   * Whether there is room for a body, or it is requested again soon: before as many bytes as fit were not kept. If each
   * body replaced another, as when more pages are visited than fit, a full garbage collection for each 64 MB would take
   * most of the CPU.
   */
  #mayKeep(config: SiteConfig, bytes: number): boolean {
    const {calculatedSize, maxSize} = this.#bodies
    const {notKeptAt = Number.NEGATIVE_INFINITY} = config
    if (calculatedSize + bytes <= maxSize || this.#notKept - notKeptAt < maxSize) return true
    this.#notKept += bytes
    config.notKeptAt = this.#notKept
    return false
  }

  #compressInBackground({identity}: Representations, coding: Exclude<Coding, 'identity'>): void {
    const {entityTag, body} = identity
    if (this.#isCompressing || body.byteLength < WORTH_COMPRESSING || !this.#bodies.has(entityTag)) return
    this.#isCompressing = true
    // If compression fails, the plain body is used.
    const keep = (representation = identity) => {
      this.#isCompressing = false
      const known = this.#bodies.peek(entityTag)
      if (known) this.#bodies.set(entityTag, {...known, [coding]: representation})
    }
    compressed(identity, coding, 'moderate').then(keep, () => keep())
  }
}

function sizeOf({identity, br, gzip}: Representations): number {
  const compressedBytes = (br?.body.byteLength ?? 0) + (gzip?.body.byteLength ?? 0)
  return Math.max(1, identity.body.byteLength + compressedBytes)
}
