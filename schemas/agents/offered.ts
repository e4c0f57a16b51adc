import {annotationsOf, parseDebugging, parseHintSettings} from '../rules/hints/annotations.ts'
import {parseInputSchema, parseOutputSchema} from '../rules/inputSchema.ts'
import {textOf} from '../rules/text.ts'
import type {Fields} from '../rules/tool.ts'
import type {OfferedTool} from './listings.ts'

/** What consumers get of a document that the rules accept. What breaks a rule is left out. */
export function offeredTool(type: OfferedTool['type'], document: Fields): OfferedTool {
  const name = textOf(document.name)
  if (type === 'formTool') return {type, name, annotations: {}, autosubmit: document.autosubmit === true}
  const settings = parseHintSettings(document.annotations)
  const debugging = parseDebugging(document.annotations)
  const input = parseInputSchema(document.inputSchema)
  const output = parseOutputSchema(document.outputSchema)
  return {
    type,
    name,
    annotations: {
      ...(settings.ok && annotationsOf(name, settings.value)),
      ...(debugging.ok && debugging.value && {debugging: true}),
    },
    ...(input.ok && {inputSchema: input.value}),
    ...(output.ok && {outputSchema: output.value}),
  }
}
