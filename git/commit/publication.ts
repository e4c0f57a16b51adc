import {PublishError} from '../errors.ts'
import type {Author} from '../objects/commitObject.ts'
import {type GitObject, gitObject, type ObjectFormat} from '../objects/looseObjects.ts'

/** The content of a future commit. */
export type Publication = {
  /** The text by path; undefined deletes the file. */
  readonly files: ReadonlyMap<string, string | undefined>
  readonly author: Author
  readonly message: string
  /** Seconds since 1970. */
  readonly seconds: number
}

/** A commit that was made from a publication. */
export type CommitResult = {
  readonly commit: string
  readonly parent: string | undefined
  /** As recorded in the commit. */
  readonly author: Author
  readonly seconds: number
  readonly message: string
  /** The paths of the publication that differ from the parent, and what is there: undefined for nothing. */
  readonly changes: readonly {
    readonly path: string
    readonly before: string | undefined
    readonly after: string | undefined
  }[]
}

/** An existing commit that HEAD is to move to. */
export type BranchMove = {
  /** The commit that HEAD must be at; undefined if its branch must have none yet. */
  readonly from: string | undefined
  readonly to: string
  /** One line for the reflog. */
  readonly reason: string
}

/** The blobs of the files of a publication, and their ids by path. */
export function blobsOf(format: ObjectFormat, files: Publication['files']) {
  const blobs = new Map<string, string | undefined>()
  const objects: GitObject[] = []
  for (const [path, text] of files) {
    const blob = text === undefined ? undefined : gitObject(format, 'blob', [Buffer.from(text)])
    blobs.set(path, blob?.id)
    if (blob !== undefined) objects.push(blob)
  }
  return {blobs, objects}
}

/**
 * One folder and one file name, in the characters allowed for types and ids: the path cannot lead elsewhere.
 */
const PUBLISHABLE_PATH = /^[A-Za-z0-9_][A-Za-z0-9._-]*\/[A-Za-z0-9_][A-Za-z0-9._-]*$/

/** @throws PublishError if Git could not store it, or the lake could not read it back */
export function checkPublication({files}: Publication): void {
  for (const path of files.keys())
    if (!PUBLISHABLE_PATH.test(path))
      throw new PublishError(`${JSON.stringify(path)} is not the path of a document’s file`)
}
