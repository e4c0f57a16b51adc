import {LRUCache} from 'lru-cache'
import type {Coding} from '../codings/acceptedCodings.ts'
import {
  choose,
  compressed,
  plain,
  type Representation,
  type Representations,
} from '../codings/representations.ts'
import type {SiteConfig} from '../site/siteConfig.ts'

/** Bytes below which compressing saves no packet. */
const WORTH_COMPRESSING = 1_000

/**
 * Finished bodies by entity tag, in the codings that were asked for, bounded by their bytes. Visitors choose paths, never
 * tags, so they cannot fill it.
 */
export class Bodies {
  readonly #bodies: LRUCache<string, Representations>
  /** One at a time: a thousand new bodies, as after a publish of a site, do not keep files and names waiting. */
  #isCompressing = false

  /** @param maxBytes of all bodies together. A single larger body is made anew for each request. */
  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({maxSize: maxBytes, sizeCalculation: sizeOf})
  }

  /**
   * The body of a config, encoded once for as long as it stays in use. The coding that a client likes best is made
   * behind its request, for those who come later.
   * @param accepted what the client takes, the best first.
   */
  bodyOf(config: SiteConfig, accepted: readonly Coding[]): Representation {
    const known = this.#bodies.get(config.entityTag) ?? this.#encode(config)
    const [best = 'identity'] = accepted
    if (best !== 'identity' && !known[best]) this.#compressBehind(known, best)
    return choose(known, accepted)
  }

  #encode(config: SiteConfig): Representations {
    const all: Representations = {identity: plain(config.encode(), config.entityTag)}
    this.#bodies.set(config.entityTag, all)
    return all
  }

  #compressBehind({identity}: Representations, coding: Exclude<Coding, 'identity'>): void {
    const {entityTag, body} = identity
    if (this.#isCompressing || body.byteLength < WORTH_COMPRESSING || !this.#bodies.has(entityTag)) return
    this.#isCompressing = true
    // What cannot be compressed is served as it is.
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
