import {createReadStream} from 'node:fs'
import {basename, resolve} from 'node:path'
import {pipeline} from 'node:stream'
import {createGunzip} from 'node:zlib'
import {createTarDecoder} from 'modern-tar'
import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject, type JsonObject} from '../../common/json.ts'
import {CommandError, type Console} from '../command.ts'

/** Maximum characters of a line. https://www.sanity.io/docs/content-lake/technical-limits: a document has at most 32 MB. */
const MAX_LINE = 32 * 1024 * 1024

/** `@sanity/export` writes `<name>/data.ndjson`, and `@sanity/import` looks this deep. */
const DATA_FILE = /^([^/]+\/){0,2}[^/]+\.ndjson$/

/** Whether a name is that of an archive of `sanity datasets export`. */
export function isArchive(name: string): boolean {
  return /\.(tar\.gz|tgz)$/i.test(name)
}

/** @throws CommandError if the user named neither an archive nor a file with one line of JSON for each document */
export function fileNamed(name: string, {directory}: Console): string {
  if (isArchive(name) || /\.ndjson$/i.test(name)) return resolve(directory, name)
  throw new CommandError(`FILE must end with .tar.gz or .ndjson: not "${name}"`)
}

/**
 * The documents of a file, without writing anything to disk.
 * @throws CommandError if the file is damaged, or the error of the file system
 */
export function readFile(path: string): AsyncIterable<JsonObject> {
  return isArchive(path) ? readArchive(path) : parseLines(createReadStream(path), basename(path))
}

async function* readArchive(path: string): AsyncGenerator<JsonObject> {
  // An error also ends the iteration below.
  const expanded = pipeline(createReadStream(path), createGunzip(), () => {})
  const tar = ReadableStream.from(expanded).pipeThrough(createTarDecoder({strict: true}))
  let data: string | undefined
  try {
    for await (const {header, body} of tar) {
      const {name, type = 'file'} = header
      if (type !== 'file' || !DATA_FILE.test(name)) await body.cancel()
      else if (data === undefined) {
        data = name
        yield* parseLines(body, `${path}, ${name}`)
      } else throw new CommandError(`${path} has two files of documents, ${data} and ${name}`)
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      `${path} is damaged, cut off or not an archive of "sanity datasets export" (${errorMessage(error)}): create it again`,
    )
  }
  if (data === undefined) throw new CommandError(`${path} contains no data.ndjson`)
}

/** Empty lines are skipped. */
async function* parseLines(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<JsonObject> {
  let number = 1
  const decoder = new TextDecoder('utf-8', {fatal: true})
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, {stream: chunk !== undefined})
    } catch {
      throw new CommandError(`${name}, line ${number} or later: not UTF-8 text`)
    }
  }
  let rest = ''
  for await (const chunk of chunks) {
    const [first = '', ...lines] = decode(chunk).split('\n')
    rest += first
    if (rest.length > MAX_LINE)
      throw new CommandError(`${name}, line ${number}: longer than ${MAX_LINE} characters`)
    for (const line of lines) {
      yield* parseLine(rest, `${name}, line ${number}`)
      rest = line
      number += 1
    }
  }
  yield* parseLine(rest + decode(), `${name}, line ${number}`)
}

function parseLine(line: string, place: string): JsonObject[] {
  if (line.trim() === '') return []
  let value: unknown
  try {
    value = JSON.parse(line.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new CommandError(
      `${place}: not valid JSON (${errorMessage(error)}). The file must have one JSON document per line; if it was cut off, create it again`,
    )
  }
  if (isJsonObject(value)) return [value]
  throw new CommandError(`${place}: not a JSON object`)
}
