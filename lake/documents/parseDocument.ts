import {type ParseErrorCode, printParseErrorCode, visit} from 'jsonc-parser'
import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject, type JsonObject} from '../../common/json.ts'
import type {BlobContent} from '../git/read/blobs.ts'
import {revisionOf} from './canonical.ts'
import {type Document, isoTime, SYSTEM_ATTRIBUTES} from './document.ts'
import {isPublishedId, isValidId} from './ids.ts'

/** Maximum size of a file. A document is kept in memory and sent to listeners as a whole. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024

/** The content of a file without the lake's own attributes, and its revision. */
export type ParsedDocument = {
  readonly id: string
  readonly type: string
  readonly revision: string
  readonly content: JsonObject
}

export type Parsed =
  | {readonly document: ParsedDocument}
  | {
      readonly problem: string
      /**
       * Git's object is missing or damaged. The file is read again later, because the object may be restored.
       */
      readonly isUnreadable?: true
    }

/** A document as queries see it, with its dates in seconds since 1970. */
export function documentOf(
  {id, type, revision, content}: ParsedDocument,
  {created, updated}: {readonly created: number; readonly updated: number},
): Document {
  const dates = {_createdAt: isoTime(created), _updatedAt: isoTime(updated)}
  return {_id: id, _type: type, _rev: revision, ...dates, ...content}
}

/** Parses the file at `<type>/<_id>.json`. Never throws. */
export function parseDocument(path: string, content: BlobContent): Parsed {
  if (content === 'unreadable') {
    return {problem: 'its object is missing or damaged in the Git repository', isUnreadable: true}
  }
  if (content === 'too large') return {problem: `larger than ${MAX_DOCUMENT_BYTES} bytes`}
  try {
    return {document: parse(path, content)}
  } catch (error) {
    return {problem: errorMessage(error)}
  }
}

function parse(path: string, bytes: Buffer): ParsedDocument {
  const slash = path.indexOf('/')
  const type = path.slice(0, slash)
  const id = path.slice(slash + 1, -'.json'.length)
  if (!isValidId(id)) {
    throw new Error(`"${id}" is not a valid document id: use at most 128 letters, digits, ".", "_" and "-"`)
  }
  if (!isPublishedId(id)) throw new Error('drafts and versions are never committed')
  const value = parseJson(decode(bytes))
  if (!isJsonObject(value)) throw new Error('not a JSON object')
  if (value._type !== type) throw new Error(`_type must be "${type}", the name of its folder`)
  if (value._id !== id) throw new Error(`_id must be "${id}", the name of its file`)
  return {id, type, revision: revisionOf(value), content: withoutSystemAttributes(value)}
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    throw new Error('not UTF-8 text')
  }
}

/** JSON.parse gives the position of an error only in some of its messages. This one always does. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    const onError = (
      error: ParseErrorCode,
      _offset: number,
      _length: number,
      line: number,
      column: number,
    ) => {
      const place = `line ${line + 1}, column ${column + 1}`
      throw new Error(`not valid JSON at ${place} (${printParseErrorCode(error)})`)
    }
    visit(text, {onError}, {disallowComments: true})
    throw new Error('not valid JSON')
  }
}

function withoutSystemAttributes(value: JsonObject): JsonObject {
  for (const key of SYSTEM_ATTRIBUTES) {
    if (Object.hasOwn(value, key)) {
      return Object.fromEntries(Object.entries(value).filter(([name]) => !SYSTEM_ATTRIBUTES.has(name)))
    }
  }
  return value
}
