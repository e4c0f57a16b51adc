import {createWriteStream, existsSync} from 'node:fs'
import {rename, rm} from 'node:fs/promises'
import {basename} from 'node:path'
import type {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {createGzip} from 'node:zlib'
import {packTar} from 'modern-tar/fs'
import {errorMessage} from '../../common/errorMessage.ts'
import type {Document} from '../../content/document.ts'
import {CommandError} from '../command.ts'
import {isArchive} from '../transfer/sources.ts'

/**
 * Writes documents to a file: an archive that `sanity datasets import` accepts, or one line of JSON each. The
 * file appears when it is complete.
 * @param date of the files in an archive, so that one commit always gives the same archive
 * @throws CommandError
 */
export async function writeDocuments(
  path: string,
  documents: readonly Document[],
  {date, mayReplace}: {readonly date: Date; readonly mayReplace: boolean},
): Promise<void> {
  if (!mayReplace && existsSync(path))
    throw new CommandError(`${path} exists: choose another name, or replace it with --replace`)
  const temporary = `${path}.${process.pid}.partial`
  try {
    const file = createWriteStream(temporary, {flags: 'wx'})
    if (isArchive(path)) await pipeline(archive(basename(path), documents, date), createGzip(), file)
    else await pipeline(lines(documents), file)
    await rename(temporary, path)
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${errorMessage(error)}`)
  } finally {
    await rm(temporary, {force: true})
  }
}

/** The layout of `@sanity/export`. */
function archive(name: string, documents: readonly Document[], mtime: Date): Readable {
  const folder = name.replace(/\.(tar\.gz|tgz)$/i, '')
  return packTar([
    {type: 'content', target: `${folder}/data.ndjson`, content: lines(documents).join(''), mtime},
    {type: 'content', target: `${folder}/assets.json`, content: '{}', mtime},
  ])
}

function lines(documents: readonly Document[]): string[] {
  return documents.map((document) => `${JSON.stringify(document)}\n`)
}
