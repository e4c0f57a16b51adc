import {parseHintSettings} from '../rules/annotations.ts'
import {parseInputSchema} from '../rules/inputSchema.ts'
import type {Advice} from './advice.ts'
import {adviseHints} from './hints.ts'
import {adviseParameters} from './parameters.ts'
import {advisePath} from './paths.ts'
import {adviseScript} from './script.ts'
import {adviseSelector} from './selectors.ts'
import {adviseDescription, adviseName} from './texts.ts'

/** A stored document. In drafts, any field may be missing or have any shape. */
export type Fields = {readonly [field: string]: unknown}

/** What advice needs to know about the rest of the site. */
export type SiteFacts = {
  /** Path patterns of the site's other tools. */
  readonly otherPatterns?: readonly string[]
}

/**
 * All advice on a tool. A field that breaks a rule gets no advice, because the rule's message says what is
 * wrong.
 */
export function adviseTool(tool: Fields, {otherPatterns = []}: SiteFacts = {}): Advice[] {
  const name = textOf(tool.name)
  const schema = parseInputSchema(tool.inputSchema)
  const script = adviseScript(textOf(tool.executeJs), schema.ok ? schema.value : undefined)
  const hints = parseHintSettings(tool.annotations)
  return [
    ...adviseShared(tool),
    ...advisePath(textOf(tool.pathPattern), 'pathPattern', otherPatterns),
    ...(schema.ok ? adviseParameters(schema.value) : []),
    ...script.advice,
    ...(hints.ok ? adviseHints(name, hints.value, script.changesData) : []),
  ]
}

/** All advice on a form tool. */
export function adviseFormTool(formTool: Fields, {otherPatterns = []}: SiteFacts = {}): Advice[] {
  return [
    ...adviseShared(formTool),
    ...advisePath(textOf(formTool.pagePath), 'pagePath', otherPatterns),
    ...adviseSelector(textOf(formTool.selector)),
  ]
}

function adviseShared({name, description}: Fields): Advice[] {
  const text = textOf(description)
  return [...adviseName(textOf(name)), ...(text.trim() === '' ? [] : adviseDescription(textOf(name), text))]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
