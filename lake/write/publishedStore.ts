import type {Principal} from '../access/principal.ts'
import type {Document} from '../documents/document.ts'
import type {Update} from '../documents/store.ts'

/** The store of published documents. */
export type PublishedStore = {
  /**
   * Commits changes of published documents, and returns these with their dates. Dates other than `now` were
   * given by a client, and are kept.
   * @throws PublishedChangedError after applying the commits of others; nothing is committed then
   */
  commit(
    documents: ReadonlyMap<string, Document | undefined>,
    {by, message, now}: {readonly by: Principal; readonly message: string; readonly now: string},
  ): Promise<ReadonlyMap<string, Document | undefined>>
  /** Applies the commits of others, if there are any. */
  refresh(): Promise<Update | undefined>
}

/** Others changed the published documents during a commit. */
export class PublishedChangedError extends Error {}
