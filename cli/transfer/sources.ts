import {createReadStream} from 'node:fs'
import {basename} from 'node:path'
import type {JsonObject} from '../../common/json.ts'
import {readArchive} from './archive.ts'
import {parseLines} from './ndjson.ts'

/** Whether a name is that of an archive of `sanity datasets export`. */
export function isArchive(name: string): boolean {
  return /\.(tar\.gz|tgz)$/i.test(name)
}

/** Whether a name is that of a file of documents, one line of JSON each. */
export function isNdjson(name: string): boolean {
  return /\.ndjson$/i.test(name)
}

/**
 * The documents of a file.
 * @throws CommandError or the error of the file system
 */
export function readFile(path: string, onAsset: () => void): AsyncIterable<JsonObject> {
  return isArchive(path) ? readArchive(path, onAsset) : parseLines(createReadStream(path), basename(path))
}
