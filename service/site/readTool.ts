import {isRecord} from '../../schemas/rules/json.ts'
import type {PathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {parseFormTool, parseFormToolPlace, parseTool, parseToolPlace} from '../../schemas/rules/tool.ts'
import type {FormToolDocument, ToolDocument} from '../upstream/siteDocument.ts'
import {uuidOf} from './uuid.ts'

/** A tool that passed every rule. */
export type ReadTool = {
  readonly name: string
  /** The pages where the tool is served. */
  readonly pattern: PathPattern
  /** The member of `tools` or `formTools` (docs/specification.md, “Tool”, “Form tool”) as JSON, its ID first, without line breaks. */
  readonly json: string
  /** Whether the document has a field that was added since version 0.1: see `extendedName`. */
  readonly isExtended: boolean
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
  if (known !== undefined) return {name, pattern, json: known, isExtended}
  const json = JSON.stringify({id: uuidOf(tool._id), ...parseTool(name, tool)})
  return {name, pattern, json, isExtended}
}

/**
 * Validates a form tool.
 * @param known the JSON of the same revision, if it was compiled before.
 * @throws BrokenRule
 */
export function readFormTool(formTool: FormToolDocument, known: string | undefined): ReadTool {
  const {name, pattern} = parseFormToolPlace(formTool)
  const json = () => JSON.stringify({id: uuidOf(formTool._id), ...parseFormTool(name, formTool)})
  return {name, pattern, json: known ?? json(), isExtended: isSet(formTool.fields)}
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
