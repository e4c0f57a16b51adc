import {LRUCache} from 'lru-cache'
import {isSameSecret} from '../../common/secret.ts'
import {LINK_MINUTES} from '../../schemas/rules/preview.ts'

/** Maximum links that are remembered. Only a link that Studio made can be used. */
const MAX_LINKS = 10_000

/** Time for clocks that differ, in milliseconds. */
const MARGIN = 600_000

/** Of what is remembered of links. */
export const LINKS = {max: MAX_LINKS, ttl: LINK_MINUTES * 60_000 + MARGIN}

/**
 * The preview links that this replica has exchanged. Scripts of a page, its analytics and its service worker see a link
 * before the snippet does, so it must not work again elsewhere. The service may only read from upstream, so other
 * replicas, and this one after a restart, do not know: there, the time of a link ends that
 * (docs/decisions/0038-stateless-preview-tokens.md).
 */
export class UsedLinks {
  /** The tab, by the id of the link's secret. */
  readonly #tabs = new LRUCache<string, {readonly tab: string | undefined}>(LINKS)

  /**
   * Uses a link. Returns false if it was used before, unless by the same tab: its response may have been lost.
   * @param tab a random text that only this tab knows. Without one, a link cannot be used again.
   */
  use(secretId: string, tab: string | undefined): boolean {
    const used = this.#tabs.get(secretId)
    if (used !== undefined) return used.tab !== undefined && tab !== undefined && isSameSecret(used.tab, tab)
    this.#tabs.set(secretId, {tab})
    return true
  }
}
