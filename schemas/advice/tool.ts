import {parseFormFields} from '../rules/formFields.ts'
import {parseHintSettings} from '../rules/hints/annotations.ts'
import {inferHints} from '../rules/hints/inferHints.ts'
import {parseInputSchema, parseOutputSchema} from '../rules/inputSchema.ts'
import {subschemasOf} from '../rules/jsonSchema/subschemas.ts'
import {textOf} from '../rules/text.ts'
import type {Fields} from '../rules/tool.ts'
import {type Advice, advise} from './advice.ts'
import {adviseHints} from './hints.ts'
import {adviseOnPages, type ToolOfSite} from './pages.ts'
import {adviseParameters} from './parameters.ts'
import {advisePath} from './paths.ts'
import {adviseScript} from './script/script.ts'
import {adviseSelector} from './selectors.ts'
import {adviseDescription, adviseName, adviseParameterDescription, adviseProse} from './texts.ts'

/** What advice needs to know about the rest of the site. */
export type SiteFacts = {
  /** The site's other tools and form tools. */
  readonly others?: readonly ToolOfSite[]
}

/**
 * All advice on a tool. A field that breaks a rule gets no advice, because the rule's message says what is
 * wrong.
 */
export function adviseTool(tool: Fields, {others = []}: SiteFacts = {}): Advice[] {
  const name = textOf(tool.name)
  const schema = parseInputSchema(tool.inputSchema)
  const script = adviseScript(textOf(tool.executeJs), schema.ok ? schema.value : undefined)
  const hints = parseHintSettings(tool.annotations)
  return [
    ...adviseShared(tool, 'pathPattern', others),
    ...(schema.ok ? adviseParameters(schema.value, textOf(tool.inputSchema)) : []),
    ...script.advice,
    ...(hints.ok ? adviseHints(name, hints.value, script.changesData) : []),
    ...adviseProse(textOf(tool.title), 'title', 'The title'),
    ...adviseOutput(tool.outputSchema),
  ]
}

/** All advice on a form tool. */
export function adviseFormTool(formTool: Fields, {others = []}: SiteFacts = {}): Advice[] {
  return [
    ...adviseShared(formTool, 'pagePath', others),
    ...adviseSelector(textOf(formTool.selector)),
    ...adviseAutosubmit(formTool),
    ...adviseFormFields(formTool.fields),
  ]
}

function adviseShared(fields: Fields, pathField: string, others: readonly ToolOfSite[]): Advice[] {
  const name = textOf(fields.name)
  const description = textOf(fields.description)
  const pattern = textOf(fields[pathField])
  const names = others.map((other) => other.name)
  const patterns = others.map((other) => other.pattern)
  return [
    ...adviseName(name, names),
    ...(description.trim() === '' ? [] : adviseDescription(name, description)),
    ...advisePath(pattern, pathField, patterns),
    ...adviseOnPages({name, description, pattern}, pathField, others),
  ]
}

function adviseAutosubmit({name, autosubmit}: Fields): Advice[] {
  if (autosubmit !== true || !inferHints(textOf(name)).consequential) return []
  const message = `“${name}” sounds like an action with consequences, but the agent submits the form without asking the visitor. Switch this off.`
  return [advise('AUTOSUBMIT_CONSEQUENTIAL', 'autosubmit', message)]
}

/** Agents read the descriptions of results too. */
function adviseOutput(value: unknown): Advice[] {
  const schema = parseOutputSchema(value)
  if (!schema.ok || schema.value === undefined) return []
  return subschemasOf(schema.value).flatMap(({schema: inner, path, parameter = 'the result'}) =>
    adviseProse(textOf(inner.description), 'outputSchema', `The description of “${parameter}”`, {
      path: [...path, 'description'],
    }),
  )
}

function adviseFormFields(value: unknown): Advice[] {
  const fields = parseFormFields(value)
  if (!fields.ok) return []
  return fields.value.flatMap(({name, title = '', description = ''}) => [
    ...adviseProse(title, 'fields', `The title of “${name}”`),
    ...adviseParameterDescription(name, description, 'fields'),
  ])
}
