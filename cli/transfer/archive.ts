import {createReadStream} from 'node:fs'
import {pipeline} from 'node:stream'
import {createGunzip} from 'node:zlib'
import {createTarDecoder, type TarHeader} from 'modern-tar'
import {errorMessage} from '../../common/errorMessage.ts'
import type {JsonObject} from '../../common/json.ts'
import {CommandError} from '../command.ts'
import {parseLines} from './ndjson.ts'

/**
 * How many times its size an archive may expand to, beyond {@link FREE_BYTES}. Documents compress to about a
 * tenth; gzip allows 1,032 times.
 */
const MAX_EXPANSION = 200
const FREE_BYTES = 64 * 1024 * 1024

/** `@sanity/export` writes `<name>/data.ndjson`, and `@sanity/import` looks this deep. */
const DATA_FILE = /^([^/]+\/){0,2}[^/]+\.ndjson$/

/** Where `@sanity/export` puts the files of assets. */
const ASSET_FILE = /(^|\/)(images|files)\/[^/]+$/

/**
 * Reads the documents of an archive of `sanity datasets export`, without writing anything to disk.
 * @param onAsset called for each file of an asset
 * @throws CommandError if the archive is not one of these, or damaged
 */
export async function* readArchive(path: string, onAsset: () => void): AsyncGenerator<JsonObject> {
  const tar = ReadableStream.from(expand(path)).pipeThrough(createTarDecoder({strict: true}))
  let data: string | undefined
  try {
    for await (const {header, body} of tar) {
      const name = checkEntry(header)
      if (DATA_FILE.test(name)) {
        if (data !== undefined)
          throw new CommandError(`${path} has two files of documents, ${data} and ${name}`)
        data = name
        yield* parseLines(body, `${path}, ${name}`)
        continue
      }
      if (ASSET_FILE.test(name)) onAsset()
      await body.cancel()
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      `${path} is damaged, cut off or not an archive of "sanity datasets export" (${errorMessage(error)}): create it again`,
    )
  }
  if (data === undefined) throw new CommandError(`${path} contains no data.ndjson`)
}

/** @throws CommandError for an entry that an export does not have */
function checkEntry({name, type = 'file'}: TarHeader): string {
  const isInside = !/^([/\\]|[a-z]:)/i.test(name) && !name.split(/[/\\]/).includes('..')
  if (isInside && (type === 'file' || type === 'directory')) return name.replace(/^(\.\/)+/, '')
  const what = isInside ? `is a ${type}` : 'leads out of the archive'
  throw new CommandError(`the entry ${JSON.stringify(name.slice(0, 200))} ${what}: refused`)
}

async function* expand(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path)
  const expanded = createGunzip()
  // An error also ends the iteration below.
  pipeline(file, expanded, () => {})
  let size = 0
  for await (const chunk of expanded) {
    size += chunk.length
    if (size > FREE_BYTES && size > file.bytesRead * MAX_EXPANSION)
      throw new CommandError(
        `${path} expands to more than ${MAX_EXPANSION} times its size, which no export does: refused`,
      )
    yield chunk
  }
}
