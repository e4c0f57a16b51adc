import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject, type JsonObject} from '../../common/json.ts'
import {CommandError} from '../command.ts'

/** Maximum bytes of a line. https://www.sanity.io/docs/content-lake/technical-limits: a document has at most 32 MB. */
const MAX_LINE_BYTES = 32 * 1024 * 1024

const NEWLINE = 0x0a

/**
 * Parses lines of JSON objects. Empty lines are skipped.
 * @param name of the source, for errors
 * @throws CommandError naming the line
 */
export async function* parseLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
): AsyncGenerator<JsonObject> {
  let number = 1
  let size = 0
  let pieces: Uint8Array[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end))
      const value = parseLine(pieces, `${name}, line ${number}`)
      if (value !== undefined) yield value
      pieces = []
      size = 0
      number += 1
      start = end + 1
    }
    if (start === chunk.length) continue
    pieces.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > MAX_LINE_BYTES)
      throw new CommandError(`${name}, line ${number}: longer than ${MAX_LINE_BYTES} bytes`)
  }
  const last = parseLine(pieces, `${name}, line ${number}`)
  if (last !== undefined) yield last
}

function parseLine(pieces: readonly Uint8Array[], place: string): JsonObject | undefined {
  let text: string
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(pieces))
  } catch {
    throw new CommandError(`${place}: not UTF-8 text`)
  }
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CommandError(
      `${place}: not valid JSON (${errorMessage(error)}). The file must have one JSON document per line; if it was cut off, create it again`,
    )
  }
  if (isJsonObject(value)) return value
  throw new CommandError(`${place}: not a JSON object`)
}
