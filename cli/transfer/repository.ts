import {readdir} from 'node:fs/promises'
import {pino} from 'pino'
import type {Document} from '../../content/document.ts'
import {ContentRepository} from '../../content/repository.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {LAYOUT} from '../layout.ts'

/**
 * Reads the documents at HEAD as a lake would serve them, with their dates.
 * @returns the commit and its time in seconds since 1970, too, if there is one, and files that are not valid documents
 * @throws GitError
 */
export async function readContent(folder: ContentDirectory) {
  const repository = new ContentRepository(folder, LAYOUT, pino({level: 'silent'}))
  const update = await repository.refresh()
  const documents = new Map<string, Document>()
  for (const [id, document] of update?.documents ?? [])
    if (document !== undefined) documents.set(id, document)
  const {head, invalid, history} = repository
  return {head, seconds: history.last?.seconds ?? 0, documents, invalid}
}

/** Whether there is nothing at a directory. */
export async function isEmptyDirectory(directory: string): Promise<boolean> {
  return (await readdir(directory).catch(() => [])).length === 0
}
