import {hash} from 'node:crypto'
import type {Change} from '../../content/document.ts'
import {versionedId} from '../../content/ids.ts'
import {collectReferences, eachAttribute, REFERENCES, VERSIONS} from '../../content/keys.ts'

/**
 * Sync tags tell a client when a result may have changed:
 * https://www.sanity.io/docs/content-lake/live-content-api
 *
 * The tags of a result are its lookups. The tags of a change are all lookups that could have found the
 * document, before or after. So the tags of a change depend only on the document.
 */
export type SyncTag = `s1:${string}`

/** A result with more tags than this gets the tag for everything. */
const MAX_TAGS_OF_ANSWER = 500

function digest(text: string): SyncTag {
  return `s1:${hash('sha1', text, 'base64url').slice(0, 8)}`
}

/** The tag of a result that examined every document, and of every change. */
export const everythingTag: SyncTag = digest('everything')

/** The tag of a lookup. */
function tagOf(index: string, key: string): SyncTag {
  return digest(`${index}\0\0${key}`)
}

/** Collects the lookups of a result. */
export class AnswerTags {
  readonly #tags = new Set<SyncTag>()
  #coarse = false

  /** Adds the lookup of some keys in an index. */
  add(index: string, keys: readonly string[]): void {
    if (this.#coarse) return
    if (this.#tags.size + keys.length > MAX_TAGS_OF_ANSWER) this.addEverything()
    else for (const key of keys) this.#tags.add(tagOf(index, key))
  }

  /** Records that every document was examined. */
  addEverything(): void {
    this.#coarse = true
  }

  /** The tags, sorted. */
  list(): SyncTag[] {
    return this.#coarse ? [everythingTag] : [...this.#tags].sort()
  }
}

/** The tags of some changes, or undefined if there are more than `limit`. No changes give no tags. */
export function tagsOfChanges(changes: readonly Change[], limit: number): SyncTag[] | undefined {
  if (changes.length === 0) return []
  // A change has more than one tag, so the documents of a huge one need not be hashed.
  if (changes.length > limit) return undefined
  const tags = new Set<SyncTag>([everythingTag])
  for (const {before, after} of changes) {
    for (const document of [before, after]) {
      if (document === undefined) continue
      eachAttribute(document, (index, key) => tags.add(tagOf(index, key)))
      for (const id of collectReferences(document)) tags.add(tagOf(REFERENCES, id))
      const versioned = versionedId(document._id)
      if (versioned !== undefined) tags.add(tagOf(VERSIONS, versioned))
    }
    if (tags.size > limit) return undefined
  }
  return [...tags].sort()
}
