import {type ParseErrorCode, printParseErrorCode, visit} from 'jsonc-parser'
import {errorMessage} from '../common/errorMessage.ts'
import {isJsonObject, type JsonObject} from '../common/json.ts'
import type {FileContent} from '../git/read/blobs.ts'
import type {FindBroken} from '../git/remote/merge.ts'
import {canonical, revisionOfCanonical} from './canonical.ts'
import {datesInFile, type GivenDates} from './dates.ts'
import {type Document, isoTime, SYSTEM_ATTRIBUTES} from './document.ts'
import {isPublishedId, isValidId} from './ids.ts'
import {type DocumentKey, groupByDocument, jsonPath, type Layout} from './layout/layout.ts'
import {decodeText, FileError, readText} from './layout/textFile.ts'

export type {FileContent}

/**
 * Maximum size of a document as one file: 4 MiB, which is Sanity's limit for a request, and room for the
 * indentation. A document is kept in memory and sent to listeners as a whole.
 */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024

/** Maximum size of a file, and of the files of one document: dates that were given need some room. */
export const MAX_FILE_BYTES = MAX_DOCUMENT_BYTES + 256

/** The content of a document's files without the lake's own attributes, and its revision. */
export type ParsedDocument = {
  readonly id: string
  readonly type: string
  readonly revision: string
  readonly content: JsonObject
  /** The dates in its files; absent if there are none. */
  readonly given?: GivenDates
}

export type Parsed = {readonly document: ParsedDocument} | DocumentProblem

/** Why a document cannot be read. */
type DocumentProblem = {
  readonly problem: string
  /** The file to which the problem belongs. */
  readonly path: string
  /** Counted from 1. */
  readonly line?: number
}

/**
 * A document as queries see it.
 * @param commits the dates of its first and last commit, in seconds since 1970
 */
export function documentOf(
  {id, type, revision, content, given}: ParsedDocument,
  commits: {readonly created: number; readonly updated: number},
): Document {
  const created = isoTime(commits.created)
  const updated = commits.updated === commits.created ? created : isoTime(commits.updated)
  const _createdAt = given?.createdAt ?? created
  const _updatedAt = given?.updatedAt ?? updated
  return {_id: id, _type: type, _rev: revision, _createdAt, _updatedAt, ...content}
}

/**
 * Assembles a document from its files. Never throws.
 * @param files the contents of those that exist, by path
 */
export function assembleDocument(
  layout: Layout,
  key: DocumentKey,
  files: ReadonlyMap<string, FileContent>,
): Parsed {
  let path = jsonPath(key)
  try {
    const file = files.get(path)
    let size = file?.length ?? 0
    const json = file === undefined ? undefined : parseJsonFile(key, file)
    const texts: Record<string, string> = {}
    for (const [field, textPath] of layout.textPaths(key)) {
      const text = files.get(textPath)
      if (text === undefined) continue
      path = textPath
      if (json === undefined) throw new FileError(missingJson(key))
      texts[field] = readText(bytesOf(text))
      size += text.length
      if (!Object.hasOwn(json, field)) continue
      path = jsonPath(key)
      throw new FileError(
        `"${field}" is in this file and in ${textPath}: delete it from this file, or delete ${textPath}`,
      )
    }
    path = jsonPath(key)
    if (json === undefined) throw new FileError('the file is missing')
    if (size > MAX_FILE_BYTES) throw new FileError(`${TOO_LARGE}, together with its text files`)
    const whole = Object.keys(texts).length === 0 ? json : {...json, ...texts}
    const sorted = canonical(whole)
    const revision = revisionOfCanonical(sorted)
    const given = datesInFile(json, revision)
    const hasDates = Object.keys(given).length > 0
    // Sorted as in one file, so that a response is the same for both layouts.
    const content = whole === json ? withoutSystemAttributes(json) : sorted
    return {document: {...key, revision, content, ...(hasDates && {given})}}
  } catch (error) {
    const line = error instanceof FileError ? error.line : undefined
    return {problem: errorMessage(error), path, ...(line !== undefined && {line})}
  }
}

const TOO_LARGE = `larger than ${MAX_DOCUMENT_BYTES} bytes`

function missingJson(key: DocumentKey): string {
  return `there is no ${jsonPath(key)}, the document that it belongs to: restore that file, or delete this one`
}

/** @throws FileError */
function bytesOf(content: FileContent): Buffer {
  switch (content) {
    case 'unreadable':
      throw new FileError('the file cannot be read')
    case 'too large':
      throw new FileError(TOO_LARGE)
    case 'link':
      throw new FileError('a symbolic link, which is not followed: replace it by the file')
    case 'submodule':
      throw new FileError('a submodule, which is not read: replace it by a file')
    default:
      return content
  }
}

/** @throws FileError */
function parseJsonFile({type, id}: DocumentKey, content: FileContent): JsonObject {
  if (!isValidId(id)) {
    throw new FileError(
      `"${id}" is not a valid document id: use at most 128 letters, digits, ".", "_" and "-"`,
    )
  }
  if (!isPublishedId(id)) throw new FileError('drafts and versions are never committed')
  const value = parseJson(decodeText(bytesOf(content)))
  if (!isJsonObject(value)) throw new FileError('not a JSON object')
  if (value._type !== type) throw new FileError(`_type must be "${type}", the name of its folder`)
  if (value._id !== id) throw new FileError(`_id must be "${id}", the name of its file`)
  return value
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
      throw new FileError(`not valid JSON at ${place} (${printParseErrorCode(error)})`, line + 1)
    }
    visit(text, {onError}, {disallowComments: true})
    throw new FileError('not valid JSON')
  }
}

function withoutSystemAttributes(value: JsonObject): JsonObject {
  return [...SYSTEM_ATTRIBUTES].some((name) => Object.hasOwn(value, name))
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !SYSTEM_ATTRIBUTES.has(name)))
    : value
}

/** Finds the files of documents that both sides of a merge changed, and that are not valid together. */
export function findBrokenIn(layout: Layout): FindBroken {
  const documentsAt = (paths: readonly string[]) => {
    const files = paths.map((path) => ({path}))
    return [...groupByDocument(layout, files).values()].map(({key}) => key)
  }
  return async ({fromOurs, fromTheirs, read}) => {
    const theirs = new Set(documentsAt(fromTheirs).map(jsonPath))
    const changed = documentsAt(fromOurs).filter((key) => theirs.has(jsonPath(key)))
    const contents = await read(
      changed.flatMap((key) => layout.paths(key)),
      MAX_FILE_BYTES,
    )
    return changed.flatMap((key) => {
      if (!layout.paths(key).some((path) => contents.has(path))) return []
      const parsed = assembleDocument(layout, key, contents)
      return 'problem' in parsed ? [parsed.path] : []
    })
  }
}
