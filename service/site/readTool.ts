import {servedScript} from '../../actions/compile.ts'
import type {Library} from '../../actions/library.ts'
import type {Reporting} from '../../schemas/calls/reporting.ts'
import {answerOf, type Declaration, parseDocument, parseField} from '../../schemas/document.ts'
import {pagesFieldOf} from '../../schemas/documents.ts'
import {name} from '../../schemas/fields/name.ts'
import {offeredWhile, pageConditions} from '../../schemas/fields/offeredWhile.ts'
import {pathPattern} from '../../schemas/fields/pathPattern.ts'
import {texts} from '../../schemas/fields/texts.ts'
import {isRecord} from '../../schemas/record.ts'
import {inferAnnotations} from '../../schemas/rules/hints/annotations.ts'
import {type AskBefore, asksVisitor} from '../../schemas/rules/hints/askBefore.ts'
import {changesSomething} from '../../schemas/rules/hints/effects.ts'
import {checked} from '../../schemas/rules/parsed.ts'
import type {PathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import type {ToolDocument} from '../upstream/siteDocument.ts'
import {uuidOf} from './uuid.ts'

/** A tool that passed every rule. */
export type ReadTool = {
  readonly name: string
  /** The pages where the tool is served. */
  readonly pattern: PathPattern
  /** The member of `tools` or `formTools` (docs/specification.md, “Tool”, “Form tool”) as JSON, its ID first, without line breaks. */
  readonly json: string
  /** Whether a call changes something, whatever its hints say. */
  readonly changes: boolean
  /** Whether the page decides about it. */
  readonly isConditional: boolean
  /** Whether the page chooses its language. */
  readonly isTranslated: boolean
  /** See `OfferedWhile`. */
  readonly from: number | undefined
  readonly until: number | undefined
}

/**
 * Validates a tool or form tool, and infers its title and hints.
 * @param known the JSON of the same revision, if it was compiled before. Most of the work is parsing the
 * script.
 * @param library the functions that its action runs, if it has one
 * @throws BrokenRule
 */
export function readTool(
  declaration: Declaration,
  document: ToolDocument,
  known?: string,
  library?: Library,
): ReadTool {
  const pages = pagesFieldOf(declaration.name)
  const json = known ?? jsonOf(declaration, document, library)
  const conditions = checked('offeredWhile', parseField(offeredWhile, document))
  return {
    name: checked('name', parseField(name, document)),
    pattern: checked(pages, parseField({...pathPattern, name: pages}, document)),
    json,
    changes: changesSomething(document),
    isConditional: pageConditions(conditions) !== undefined,
    isTranslated: checked('texts', parseField(texts, document)).length > 0,
    from: conditions.from,
    until: conditions.until,
  }
}

function jsonOf(declaration: Declaration, document: ToolDocument, library: Library | undefined): string {
  const values = parseDocument(declaration, document)
  const executeJs = library ? servedScript(document, library) : document.executeJs
  return JSON.stringify({
    id: uuidOf(document._id),
    ...answerOf(declaration, {...values, executeJs}, document),
  })
}

/** Returns the JSON of a tool as a site with these settings serves it. */
export function asServed(read: ReadTool, askBefore: AskBefore, reporting: Reporting): string {
  const json = withQuestion(read, askBefore)
  return reporting === 'off' ? json : `${json.slice(0, -1)},"reportCalls":"${reporting}"}`
}

/**
 * The page asks the visitor before a tool that counts, and the visitor submits the form of a form tool that counts, by its
 * name, because a form tool has no hints.
 */
function withQuestion({name, json, changes}: ReadTool, askBefore: AskBefore): string {
  if (askBefore === 'never') return json
  const tool: unknown = JSON.parse(json)
  if (!isRecord(tool)) return json
  const isForm = 'autosubmit' in tool
  const annotations = isForm ? inferAnnotations(name) : tool.annotations
  if (!isRecord(annotations) || !asksVisitor(askBefore, annotations, changes)) return json
  return JSON.stringify({...tool, ...(isForm ? {autosubmit: false} : {askBefore: true})})
}
