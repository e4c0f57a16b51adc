import {duplicateKeys} from '../../advice/duplicateKeys.ts'
import {isJsonObject, type JsonObject} from '../../common/json.ts'
import {decodeText, FileError} from '../../content/layout/textFile.ts'
import type {FileContent} from '../../content/parseDocument.ts'
import {parseJson} from '../../schemas/rules/json.ts'
import {LAYOUT} from '../layout.ts'
import {type Finding, problem} from './finding.ts'
import {notServed} from './notServed.ts'

/** The files of a document, as far as they can be read. */
type ReadFiles = {
  readonly findings: readonly Finding[]
  readonly fields: JsonObject
  /** Fields whose files cannot be read. */
  readonly unknown: ReadonlySet<string>
  /** Whether the JSON was read. */
  readonly isComplete: boolean
}

/** Reads the files of a document, and reports what hides in them. */
export function readFiles(files: ReadonlyMap<string, FileContent>): ReadFiles {
  const findings: Finding[] = []
  const unknown = new Set<string>()
  let fields: JsonObject | undefined
  const textFields: Record<string, string> = {}
  for (const [path, content] of files) {
    const field = LAYOUT.placeOf(path)?.field
    const text = Buffer.isBuffer(content) ? readOne(path, content, findings) : undefined
    if (text === undefined) {
      if (field !== undefined) unknown.add(field)
      continue
    }
    if (field === undefined) {
      fields = readObject(path, text, findings)
    } else {
      textFields[field] = text.replace(/\n$/, '')
    }
  }
  return {findings, unknown, fields: {...fields, ...textFields}, isComplete: fields !== undefined}
}

/** The text of a file; undefined if there is none. */
function readOne(path: string, bytes: Buffer, findings: Finding[]): string | undefined {
  if (bytes.length === 0 && path.endsWith('.json')) {
    findings.push(problem('FILE_EMPTY', path, 'The file is empty: restore it, or delete it.'))
    return undefined
  }
  try {
    const text = decodeText(bytes)
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      const message = 'The file begins with a byte order mark: save it as UTF-8 without one.'
      findings.push(problem('BYTE_ORDER_MARK', path, message, {line: 1}))
    }
    if (text.includes('\r\n')) {
      const message =
        'The file has Windows line endings, which become part of the text: save it with LF, or add "* text=auto eol=lf" to .gitattributes.'
      findings.push(problem('LINE_ENDINGS', path, message, {line: 1}))
    }
    return text
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const {message, line} = error
    findings.push(
      notServed('DOCUMENT_NOT_SERVED', {problem: message, path, ...(line !== undefined && {line})}),
    )
    return undefined
  }
}

function readObject(path: string, text: string, findings: Finding[]): JsonObject | undefined {
  const json = parseJson(text, 'The file')
  if (!json.ok) {
    const [, line] = /\bline (\d+), column \d+/.exec(json.problem) ?? []
    const place = line === undefined ? {} : {line: Number(line)}
    findings.push(problem('DOCUMENT_NOT_SERVED', path, json.problem, place))
    return undefined
  }
  if (!isJsonObject(json.value)) return undefined
  for (const {key, line} of duplicateKeys(text)) {
    const message = `"${key}" occurs twice in one object, and only the last one counts: delete the other one.`
    findings.push(problem('KEY_DUPLICATE', path, message, {line}))
  }
  return json.value
}
