import type {Document} from '../../content/document.ts'
import type {Update} from '../../content/store.ts'
import type {Author} from '../../git/objects/commitObject.ts'

/** Who changes published documents, when, and why. */
export type Commit = {
  readonly by: Author
  readonly message: string
  /** ISO 8601, UTC. */
  readonly now: string
}

/** The store of published documents. */
export type PublishedStore = {
  /**
   * Commits changes of published documents, and returns these with their dates. Dates other than `now` were
   * given by a client, and are kept.
   * @throws PublishedChangedError after applying the commits of others; nothing is committed then
   */
  commit(
    documents: ReadonlyMap<string, Document | undefined>,
    commit: Commit,
  ): Promise<ReadonlyMap<string, Document | undefined>>
  /**
   * Writes the commit that {@link commit} would make, and publishes nothing.
   * @returns its id
   */
  propose(documents: ReadonlyMap<string, Document | undefined>, commit: Commit): Promise<string>
  /** Applies the commits of others, if there are any. */
  refresh(): Promise<Update | undefined>
}

/** Others changed the published documents during a commit. */
export class PublishedChangedError extends Error {}
