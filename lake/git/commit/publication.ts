import {pathProblem} from '../../documents/names.ts'
import type {Entries} from '../checkout/checkoutSync.ts'
import type {Author} from './commitObject.ts'
import {PublishError} from './updateRef.ts'

/** What is to become a commit. */
export type Publication = {
  /** The text by `<type>/<_id>.json`; undefined deletes the file. */
  readonly files: ReadonlyMap<string, string | undefined>
  readonly author: Author
  readonly message: string
  /** Seconds since 1970. */
  readonly seconds: number
}

/** A commit that was made of a publication. */
export type CommitResult = {
  readonly commit: string
  readonly parent: string | undefined
  /** As the commit has it. */
  readonly author: Author
  readonly seconds: number
  /** The blob of every path that was given, undefined where the file is gone. */
  readonly blobs: ReadonlyMap<string, string | undefined>
  /** Paths that the parent did not have. */
  readonly added: readonly string[]
  /** Paths that the parent had otherwise: changed ones, and deleted ones. */
  readonly modified: readonly string[]
}

/** A commit that is there already and that HEAD is to move to, with the entries that differ by path. */
export type Move = {
  readonly from: string | undefined
  readonly to: string
  readonly before: Entries
  readonly after: Entries
  /** One line for the reflog. */
  readonly reason: string
}

/** One folder, one name of the kind that documents and their types have: nothing that could lead elsewhere. */
const PUBLISHABLE_PATH = /^[A-Za-z0-9_][A-Za-z0-9._-]*\/[A-Za-z0-9_][A-Za-z0-9._-]*\.json$/

/** A new file cannot have its name. The message says why, for the person who chose the name. */
export class UnfitNameError extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** @throws UnfitNameError for a new file with a name that not every file system takes */
export function checkNewPath(path: string): void {
  const problem = pathProblem(path)
  if (problem !== undefined) throw new UnfitNameError(path, problem)
}

/** @throws PublishError for what Git could not take, or the lake would not read back */
export function checkPublication({files, seconds}: Publication): void {
  for (const path of files.keys()) {
    if (!PUBLISHABLE_PATH.test(path))
      throw new PublishError(`${JSON.stringify(path)} is no path of a document`)
  }
  if (!Number.isSafeInteger(seconds) || seconds < 0)
    throw new PublishError(`${seconds} is no time of a commit`)
}
