import type {BlobContent} from './read/blobs.ts'

/** What the files of the content repository may be. Passed in, so that this module need not know documents. */
export type ContentRules = {
  /** Maximum size of a file, in bytes. */
  readonly maxBytes: number
  /** Why a new file cannot have this path; undefined if it can. The message is for an editor. */
  newPathProblem(path: string): string | undefined
  /** Why a file cannot have this content; undefined if it can. */
  contentProblem(path: string, content: BlobContent): string | undefined
}
