import type {Advice} from '../../advice/advice.ts'
import {adviseOff} from '../../advice/documents.ts'
import {duplicateKeys} from '../../advice/duplicateKeys.ts'
import {adviseAlone} from '../../advice/tool.ts'
import {isJsonObject, type JsonObject} from '../../common/json.ts'
import {isPublishedId} from '../../content/ids.ts'
import {type DocumentKey, jsonPath} from '../../content/layout/layout.ts'
import {decodeText, FileError} from '../../content/layout/textFile.ts'
import {assembleDocument, type FileContent} from '../../content/parseDocument.ts'
import {type Declaration, unknownMembers} from '../../schemas/document.ts'
import {declarationOf, problemsOf, TOOL_DECLARATIONS} from '../../schemas/index.ts'
import type {Fields} from '../../schemas/record.ts'
import {parseJson} from '../../schemas/rules/json.ts'
import type {DocumentFiles} from '../documents.ts'
import {LAYOUT} from '../layout.ts'
import {type Finding, problem} from './finding.ts'
import {notServed} from './notServed.ts'
import {type FilePlace, Places} from './places.ts'

/** What is wrong with a document, without looking at others. */
export type CheckedDocument = {
  readonly key: DocumentKey
  readonly places: Places
  readonly findings: readonly Finding[]
  /** Its attributes; undefined if the JSON cannot be read, or nothing depends on them. */
  readonly facts: Fields | undefined
}

/**
 * Checks the files of one document. What cannot be read does not hide what is wrong with the rest of the document.
 */
export function checkDocument({key, files}: DocumentFiles): CheckedDocument {
  const read = readFiles(files)
  const findings = [...read.findings]
  const places = new Places(key, files)
  const assembled = assembleDocument(LAYOUT, key, files)
  const unfit = 'problem' in assembled ? assembled : undefined
  if (unfit !== undefined && files.get(unfit.path) !== 'unreadable') {
    const isKnown = findings.some(({severity, path}) => severity === 'error' && path === unfit.path)
    const code = files.has(jsonPath(key)) ? 'DOCUMENT_NOT_SERVED' : 'TEXT_ORPHANED'
    if (!isKnown) findings.push(notServed(code, unfit, places))
  }
  const declaration = declarationOf(key.type)
  const broken = problemsOf(key.type, read.fields)
    // A field without a file is missing only if the document can be read.
    .filter(({field}) => {
      const [name = ''] = field.split('.')
      return !read.unknown.has(name) && (read.isComplete || Object.hasOwn(read.fields, name))
    })
    .map(({field, problem: message}) => {
      return located('RULE_BROKEN', places.of(field, {problem: message}), message, field)
    })
  findings.push(...broken)
  if (read.isComplete) {
    const unknown = declaration === undefined ? [] : unknownFields(declaration, read.fields, places)
    findings.push(...unknown.filter(({field}) => !broken.some((rule) => rule.field === field)))
    const off = key.type in TOOL_DECLARATIONS ? adviseOff(read.fields) : []
    const advice = [...off, ...adviseAlone(key.type, read.fields)]
    findings.push(...advice.map((one) => findingOf(one, places)))
  }
  return {
    key,
    places,
    findings,
    facts: read.isComplete && isPublishedId(key.id) ? read.fields : undefined,
  }
}

/** A finding at a place. */
export function located(
  code: Parameters<typeof problem>[0],
  {path, ...place}: FilePlace,
  message: string,
  field: string,
): Finding {
  return problem(code, path, message, {...place, field})
}

/** Advice as a finding. */
export function findingOf(advice: Advice, places: Places): Finding {
  const {code, severity, field, message} = advice
  return {code, severity, field, message, ...places.of(field, advice)}
}

function unknownFields(declaration: Declaration, fields: JsonObject, places: Places): Finding[] {
  return unknownMembers(declaration, fields).map(({field, meant}) => {
    const name = field.split('.').at(-1) ?? ''
    const what =
      name === field
        ? `A document of the type "${declaration.name}" has no field "${name}"`
        : `"${field.slice(0, -name.length - 1)}" has no member "${name}"`
    const message = `${what}: ${meant === undefined ? 'correct its name, or delete it' : `did you mean "${meant}"?`}`
    return located('FIELD_UNKNOWN', places.of(field), message.replace(/[^?]$/, '$&.'), field)
  })
}

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
function readFiles(files: ReadonlyMap<string, FileContent>): ReadFiles {
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
