import type {FileContent} from './read/blobs.ts'

/** What the files of the content repository may be. Passed in, so that this module need not know documents. */
export type ContentRules = {
  /** Whether the file at a path may be content. All others are ignored. */
  isContentPath(path: string): boolean
  /** The files that make a merge unusable, although Git merged them without a conflict. */
  brokenFiles(merged: MergedTree): Promise<readonly string[]>
}

/** The tree of a merge. */
type MergedTree = {
  /** The content paths where it differs from each side. */
  readonly fromOurs: readonly string[]
  readonly fromTheirs: readonly string[]
  /** Reads those of some files that exist. */
  read(paths: readonly string[], maxBytes: number): Promise<Map<string, FileContent>>
}
