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
import {type Revised, revisedIdOf, type SiteDocument} from '../content/siteDocument.ts'
import {uuidOf} from './uuid.ts'

/** A tool or form tool that passed every rule, encoded once for all the answers that it is part of. */
export type ServedTool = {
  kind: 'tool' | 'formTool'
  /** The tool's UUID. */
  id: string
  name: string
  /** Where it is served. */
  pattern: PathPattern
  /** Document id and revision: what an entity tag is made of. */
  revision: string
  /** The member of `tools` or `formTools` (specification §2.2, §2.3) as JSON. */
  json: string
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
 * A tool as it is served: its script is read, its title and hints are worked out.
 * @throws BrokenRule
 */
export function readTool(tool: SiteDocument['tools'][number]): ServedTool {
  const name = checked('name', parseToolName(tool.name))
  const pattern = checked('pathPattern', parsePathPattern(tool.pathPattern))
  return served('tool', tool, pattern, {
    id: uuidOf(tool._id),
    name,
    description: checked('description', parseDescription(tool.description)),
    inputSchema: checked('inputSchema', parseInputSchema(tool.inputSchema)),
    executeJs: checked('executeJs', parseScript(tool.executeJs)),
    exposedTo: checked('exposedTo', parseOrigins(tool.exposedTo)),
    title: titleOf(name),
    annotations: annotationsOf(name, checked('annotations', parseHintSettings(tool.annotations))),
  })
}

/**
 * A form tool as it is served.
 * @throws BrokenRule
 */
export function readFormTool(formTool: SiteDocument['formTools'][number]): ServedTool {
  const name = checked('name', parseToolName(formTool.name))
  const pattern = checked('pagePath', parsePathPattern(formTool.pagePath))
  return served('formTool', formTool, pattern, {
    id: uuidOf(formTool._id),
    name,
    description: checked('description', parseDescription(formTool.description)),
    selector: checked('selector', parseSelector(formTool.selector)),
    autosubmit: formTool.autosubmit === true,
  })
}

function served<T extends {id: string; name: string}>(
  kind: ServedTool['kind'],
  document: Revised,
  pattern: PathPattern,
  member: T,
): ServedTool {
  const {id, name} = member
  return {kind, id, name, pattern, revision: revisedIdOf(document), json: JSON.stringify(member)}
}

function checked<T>(field: string, parsed: Parsed<T>): T {
  if (!parsed.ok) throw new BrokenRule(field, parsed.problem)
  return parsed.value
}
