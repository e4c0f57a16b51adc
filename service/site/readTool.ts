import {hasAction, withScript} from '../../schemas/actions/compile.ts'
import type {Reporting} from '../../schemas/calls/reporting.ts'
import {inferAnnotations} from '../../schemas/rules/hints/annotations.ts'
import {type AskBefore, asksVisitor} from '../../schemas/rules/hints/askBefore.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import type {PathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {parseFormTool, parseFormToolPlace, parseTool, parseToolPlace} from '../../schemas/rules/tool.ts'
import type {FormToolDocument, ToolDocument} from '../upstream/siteDocument.ts'
import type {RevisionMark} from './entityTag.ts'
import {uuidOf} from './uuid.ts'

/** A tool that passed every rule. */
export type ReadTool = {
  readonly name: string
  /** The pages where the tool is served. */
  readonly pattern: PathPattern
  /** The member of `tools` or `formTools` (docs/specification.md, “Tool”, “Form tool”) as JSON, its ID first, without line breaks. */
  readonly json: string
  /** What names its revision besides the revision itself: see `nameInTag`. */
  readonly mark: RevisionMark | undefined
}

/**
 * Validates a tool and infers its title and hints.
 * @param known the JSON of the same revision, if it was compiled before. Most of the work is parsing the
 * script.
 * @throws BrokenRule
 */
export function readTool(tool: ToolDocument, known: string | undefined): ReadTool {
  const {name, pattern} = parseToolPlace(tool)
  const {title, outputSchema, annotations} = tool
  const debugging = isRecord(annotations) ? annotations.debugging : undefined
  const isExtended = [title, outputSchema, debugging].some(isSet)
  const mark = hasAction(tool) ? 'compiled' : isExtended ? 'extended' : undefined
  if (known !== undefined) return {name, pattern, json: known, mark}
  const json = JSON.stringify({id: uuidOf(tool._id), ...parseTool(name, withScript(tool))})
  return {name, pattern, json, mark}
}

/**
 * Validates a form tool.
 * @param known the JSON of the same revision, if it was compiled before.
 * @throws BrokenRule
 */
export function readFormTool(formTool: FormToolDocument, known: string | undefined): ReadTool {
  const {name, pattern} = parseFormToolPlace(formTool)
  const json = () => JSON.stringify({id: uuidOf(formTool._id), ...parseFormTool(name, formTool)})
  return {name, pattern, json: known ?? json(), mark: isSet(formTool.fields) ? 'extended' : undefined}
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
function withQuestion({name, json}: ReadTool, askBefore: AskBefore): string {
  if (askBefore === 'never') return json
  const tool: unknown = JSON.parse(json)
  if (!isRecord(tool)) return json
  const isForm = 'autosubmit' in tool
  const annotations = isForm ? inferAnnotations(name) : tool.annotations
  if (!isRecord(annotations) || !asksVisitor(askBefore, annotations)) return json
  return JSON.stringify({...tool, ...(isForm ? {autosubmit: false} : {askBefore: true})})
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
