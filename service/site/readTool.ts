import {withScript} from '../../actions/compile.ts'
import type {Reporting} from '../../schemas/calls/reporting.ts'
import {checked} from '../../schemas/rules/brokenRule.ts'
import {parseLanguageTexts} from '../../schemas/rules/conditions/languageTexts.ts'
import {pageConditions, parseOfferedWhile} from '../../schemas/rules/conditions/offeredWhile.ts'
import {inferAnnotations} from '../../schemas/rules/hints/annotations.ts'
import {type AskBefore, asksVisitor} from '../../schemas/rules/hints/askBefore.ts'
import {changesSomething} from '../../schemas/rules/hints/effects.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import type {PathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {
  type Fields,
  parseFormTool,
  parseFormToolPlace,
  parseTool,
  parseToolPlace,
} from '../../schemas/rules/tool.ts'
import type {FormToolDocument, ToolDocument} from '../upstream/siteDocument.ts'
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
 * Validates a tool and infers its title and hints.
 * @param known the JSON of the same revision, if it was compiled before. Most of the work is parsing the
 * script.
 * @throws BrokenRule
 */
export function readTool(tool: ToolDocument, known: string | undefined): ReadTool {
  const {name, pattern} = parseToolPlace(tool)
  const changes = changesSomething(tool)
  const json = known ?? JSON.stringify({id: uuidOf(tool._id), ...parseTool(name, withScript(tool))})
  return {name, pattern, json, changes, ...pageDecides(tool)}
}

/**
 * Validates a form tool.
 * @param known the JSON of the same revision, if it was compiled before.
 * @throws BrokenRule
 */
export function readFormTool(formTool: FormToolDocument, known: string | undefined): ReadTool {
  const {name, pattern} = parseFormToolPlace(formTool)
  const json = () => JSON.stringify({id: uuidOf(formTool._id), ...parseFormTool(name, formTool)})
  return {name, pattern, json: known ?? json(), changes: false, ...pageDecides(formTool)}
}

function pageDecides({
  offeredWhile,
  texts,
}: Fields): Pick<ReadTool, 'isConditional' | 'isTranslated' | 'from' | 'until'> {
  const parsed = checked('offeredWhile', parseOfferedWhile(offeredWhile))
  return {
    isConditional: pageConditions(parsed) !== undefined,
    isTranslated: checked('texts', parseLanguageTexts(texts)).length > 0,
    from: parsed.from,
    until: parsed.until,
  }
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
