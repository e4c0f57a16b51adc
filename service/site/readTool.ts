import {hash} from 'node:crypto'
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
import type {SiteDocument} from '../upstream/siteDocument.ts'
import {moduleKeyOf} from './scriptModule.ts'
import {uuidOf} from './uuid.ts'

/** A tool that passed every rule. */
export type ReadTool = {
  name: string
  /** The pages where the tool is served. */
  pattern: PathPattern
  /** Set for a new tool, but not for a form tool: see `moduleKeyOf`. */
  moduleKey: string | undefined
  /** The member of `tools` or `formTools` (specification §2.2, §2.3) as JSON, without line breaks. */
  json: string
}

/** A document breaks the rule of one of its fields. */
export class BrokenRule extends Error {
  readonly field: string

  constructor(field: string, problem: string) {
    super(problem)
    this.field = field
  }
}

/**
 * Validates a tool and infers its title and hints.
 * @param known the JSON of the same revision, if it was compiled before. Most of the work is parsing the
 * script.
 * @throws BrokenRule
 */
export function readTool(tool: SiteDocument['tools'][number], known: string | undefined): ReadTool {
  const name = checked('name', parseToolName(tool.name))
  const pattern = checked('pathPattern', parsePathPattern(tool.pathPattern))
  if (known !== undefined) return {name, pattern, json: known, moduleKey: undefined}
  const id = uuidOf(tool._id)
  const description = checked('description', parseDescription(tool.description))
  const inputSchema = checked('inputSchema', parseInputSchema(tool.inputSchema))
  const executeJs = checked('executeJs', parseScript(tool.executeJs))
  const exposedTo = checked('exposedTo', parseOrigins(tool.exposedTo))
  const title = titleOf(name)
  const annotations = annotationsOf(name, checked('annotations', parseHintSettings(tool.annotations)))
  const served = {id, name, description, inputSchema, executeJs, exposedTo, title, annotations}
  return {
    name,
    pattern,
    json: JSON.stringify(served),
    moduleKey: moduleKeyOf(id, hash('sha256', executeJs)),
  }
}

/**
 * Validates a form tool.
 * @param known the JSON of the same revision, if it was compiled before.
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
  return {name, pattern, json: known ?? json(), moduleKey: undefined}
}

function checked<T>(field: string, parsed: Parsed<T>): T {
  if (!parsed.ok) throw new BrokenRule(field, parsed.problem)
  return parsed.value
}
