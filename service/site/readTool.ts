import {annotationsOf, parseHintSettings} from '../../schemas/rules/annotations.ts'
import {parseDescription} from '../../schemas/rules/description.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {parseOrigins} from '../../schemas/rules/origin.ts'
import type {Parsed} from '../../schemas/rules/parsed.ts'
import {type PathPattern, parsePathPattern} from '../../schemas/rules/pathPattern.ts'
import {parseScript} from '../../schemas/rules/script.ts'
import {parseSelector} from '../../schemas/rules/selector.ts'
import {titleOf} from '../../schemas/rules/title.ts'
import {parseToolName} from '../../schemas/rules/toolName.ts'
import type {SiteDocument} from '../content/siteDocument.ts'
import {uuidOf} from './uuid.ts'

/** A tool that passed every rule. */
export type ReadTool = {
  name: string
  /** Where it is served. */
  pattern: PathPattern
  /** The member of `tools` or `formTools` (specification §2.2, §2.3) as JSON, without line breaks. */
  json: string
}

/** How the JSON of a tool with this UUID begins, and no other: tools are found so, without reading each. */
export function beginningOf(toolId: string): string {
  return `{"id":${JSON.stringify(toolId)},`
}

/** A document does not keep the rule of one of its fields. */
export class BrokenRule extends Error {
  readonly field: string

  constructor(field: string, problem: string) {
    super(problem)
    this.field = field
  }
}

/**
 * Reads a tool: its title and hints are worked out.
 * @param known what the same revision was served as before: to read the script is most of the work.
 * @throws BrokenRule
 */
export function readTool(tool: SiteDocument['tools'][number], known: string | undefined): ReadTool {
  const name = checked('name', parseToolName(tool.name))
  const pattern = checked('pathPattern', parsePathPattern(tool.pathPattern))
  const json = () =>
    JSON.stringify({
      id: uuidOf(tool._id),
      name,
      description: checked('description', parseDescription(tool.description)),
      inputSchema: checked('inputSchema', parseInputSchema(tool.inputSchema)),
      executeJs: checked('executeJs', parseScript(tool.executeJs)),
      exposedTo: checked('exposedTo', parseOrigins(tool.exposedTo)),
      title: titleOf(name),
      annotations: annotationsOf(name, checked('annotations', parseHintSettings(tool.annotations))),
    })
  return {name, pattern, json: known ?? json()}
}

/**
 * Reads a form tool.
 * @param known what the same revision was served as before.
 * @throws BrokenRule
 */
export function readFormTool(
  formTool: SiteDocument['formTools'][number],
  known: string | undefined,
): ReadTool {
  const name = checked('name', parseToolName(formTool.name))
  const pattern = checked('pagePath', parsePathPattern(formTool.pagePath))
  const json = () =>
    JSON.stringify({
      id: uuidOf(formTool._id),
      name,
      description: checked('description', parseDescription(formTool.description)),
      selector: checked('selector', parseSelector(formTool.selector)),
      autosubmit: formTool.autosubmit === true,
    })
  return {name, pattern, json: known ?? json()}
}

function checked<T>(field: string, parsed: Parsed<T>): T {
  if (!parsed.ok) throw new BrokenRule(field, parsed.problem)
  return parsed.value
}
