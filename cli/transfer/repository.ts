import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {pino} from 'pino'
import {errorCode} from '../../common/errorCode.ts'
import {revisionOf} from '../../content/canonical.ts'
import type {Document} from '../../content/document.ts'
import {openJournal} from '../../content/drafts/openJournal.ts'
import {isReviewId} from '../../content/ids.ts'
import {ContentRepository} from '../../content/repository.ts'
import {State} from '../../content/state/state.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {ContentDirectoryError, openRepository} from '../../git/openContentDirectory.ts'
import {CommandError} from '../command.ts'
import {LAYOUT} from '../layout.ts'

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
  const repository = new ContentRepository(folder, LAYOUT, pino({level: 'silent'}))
  await repository.load()
  const update = await repository.refresh()
  const documents = new Map<string, Document>()
  for (const [id, document] of update?.documents ?? [])
    if (document !== undefined) documents.set(id, document)
  const {head, invalid} = repository
  return {head, documents, invalid}
}

/**
 * Reads the drafts of a lake, which may be running, without requests for reviews. Unlike the lake's, their revisions depend on the content, so
 * that they can be compared.
 * @throws the error of the file system or of Git
 */
export async function readDrafts(folder: ContentDirectory): Promise<Map<string, Document>> {
  const state = State.openReadOnly(join(folder.gitDir, 'handrail'))
  if (state.damage !== undefined) throw new CommandError(state.damage)
  const journal = await openJournal(folder, state, {mayWrite: false})
  const drafts = new Map<string, Document>()
  for (const [id, {document}] of journal.drafts) {
    if (!isReviewId(id)) drafts.set(id, {...document, _rev: revisionOf(document)})
  }
  state.close()
  return drafts
}

/**
 * Opens the content repository at a directory; creates it if the directory is missing or empty.
 * @throws CommandError
 */
export async function openFolder(directory: string): Promise<ContentDirectory> {
  try {
    return await openRepository(directory)
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
