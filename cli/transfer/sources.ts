import {createReadStream} from 'node:fs'
import {basename, resolve} from 'node:path'
import type {JsonObject} from '../../common/json.ts'
import {CommandError, type Console} from '../command.ts'
import {readArchive} from './archive.ts'
import {parseLines} from './ndjson.ts'

/** Whether a name is that of an archive of `sanity datasets export`. */
export function isArchive(name: string): boolean {
  return /\.(tar\.gz|tgz)$/i.test(name)
}

/**
 * The path of a file with documents that the user named.
 * @param word for it in the help of the command
 * @throws CommandError if it is neither an archive, nor has one line of JSON for each document
 */
export function fileNamed(name: string, word: 'FROM' | 'TO', {directory}: Console): string {
  if (!isArchive(name) && !/\.ndjson$/i.test(name))
    throw new CommandError(
      `${word} must be "dataset", or a file that ends with .tar.gz or .ndjson: not "${name}"`,
    )
  return resolve(directory, name)
}

/**
 * The documents of a file.
 * @throws CommandError or the error of the file system
 */
export function readFile(path: string, onAsset: () => void): AsyncIterable<JsonObject> {
  return isArchive(path) ? readArchive(path, onAsset) : parseLines(createReadStream(path), basename(path))
}
