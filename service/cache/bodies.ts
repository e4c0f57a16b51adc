import {LRUCache} from 'lru-cache'
import type {SiteConfig} from '../site/answer.ts'

/** Finished bodies by entity tag, bounded by their bytes. Visitors choose paths, never tags, so they cannot fill it. */
export class Bodies {
  readonly #bodies: LRUCache<string, Buffer>

  /** @param maxBytes of all bodies together. A single larger body is made anew for each request. */
  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({maxSize: maxBytes, sizeCalculation: (body) => Math.max(1, body.byteLength)})
  }

  /** The body of a config, encoded once for as long as it stays in use. */
  bodyOf(config: SiteConfig): Buffer {
    const known = this.#bodies.get(config.entityTag)
    if (known) return known
    const body = config.encode()
    this.#bodies.set(config.entityTag, body)
    return body
  }
}
