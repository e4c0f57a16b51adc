import {readdir} from 'node:fs/promises'
import {setTimeout} from 'node:timers/promises'
import {pino} from 'pino'
import {errorCode} from '../../common/errorCode.ts'
import type {Document} from '../../lake/documents/document.ts'
import {ContentRepository} from '../../lake/documents/repository.ts'
import type {ContentDirectory} from '../../lake/git/contentDirectory.ts'
import {ContentDirectoryError, openContentDirectory} from '../../lake/git/openContentDirectory.ts'
import {CommandError} from '../command.ts'

/** How long the dates of a long history may take to read, in milliseconds. */
const HISTORY_DEADLINE = 600_000

/** The documents of a content repository, as a lake would serve them. */
export type Content = {
  /** The commit; undefined in a repository without one. */
  readonly head: string | undefined
  readonly documents: ReadonlyMap<string, Document>
  /** Files that are not valid documents, with the reason. */
  readonly invalid: readonly {readonly path: string; readonly reason: string}[]
}

/**
 * Reads the documents at HEAD, with their dates.
 * @throws GitError
 */
export async function readContent(folder: ContentDirectory): Promise<Content> {
  const repository = new ContentRepository(folder, pino({level: 'silent'}))
  const documents = new Map<string, Document>()
  const deadline = performance.now() + HISTORY_DEADLINE
  await repository.load()
  for (;;) {
    const update = await repository.refresh()
    for (const [id, document] of update?.documents ?? []) {
      if (document === undefined) documents.delete(id)
      else documents.set(id, document)
    }
    const {head, invalid} = repository
    const areDatesKnown = head === undefined || repository.commits.length > 0
    if (areDatesKnown || performance.now() > deadline) return {head, documents, invalid}
    await setTimeout(100)
  }
}

/**
 * Opens the content repository at a directory; creates it if the directory is missing or empty.
 * @throws CommandError
 */
export async function openFolder(directory: string): Promise<ContentDirectory> {
  try {
    return await openContentDirectory(directory)
  } catch (error) {
    if (error instanceof ContentDirectoryError) throw new CommandError(error.message)
    throw error
  }
}

/**
 * Whether a directory is missing or empty.
 * @throws the error of the file system
 */
export async function isEmptyDirectory(directory: string): Promise<boolean> {
  try {
    return (await readdir(directory)).length === 0
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true
    throw error
  }
}
