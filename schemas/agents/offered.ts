import {
  annotationsOf,
  inferAnnotations,
  parseDebugging,
  parseHintSettings,
} from '../rules/hints/annotations.ts'
import {type AskBefore, asksVisitor} from '../rules/hints/askBefore.ts'
import {parseInputSchema, parseOutputSchema} from '../rules/inputSchema.ts'
import {textOf} from '../rules/text.ts'
import type {Fields} from '../rules/tool.ts'
import type {OfferedTool} from './listings.ts'

/**
 * What consumers get of a document that the rules accept. What breaks a rule is left out.
 * @param askBefore which tools of its site ask the visitor
 */
export function offeredTool(
  type: OfferedTool['type'],
  document: Fields,
  askBefore: AskBefore = 'never',
): OfferedTool {
  const name = textOf(document.name)
  if (type === 'formTool') {
    const autosubmit = document.autosubmit === true && !asksVisitor(askBefore, inferAnnotations(name))
    return {type, name, annotations: {}, autosubmit}
  }
  const settings = parseHintSettings(document.annotations)
  const debugging = parseDebugging(document.annotations)
  const input = parseInputSchema(document.inputSchema)
  const output = parseOutputSchema(document.outputSchema)
  return {
    type,
    name,
    annotations: {
      ...(settings.ok && annotationsOf(name, settings.value, inferAnnotations(name, document))),
      ...(debugging.ok && debugging.value && {debugging: true}),
    },
    ...(input.ok && {inputSchema: input.value}),
    ...(output.ok && {outputSchema: output.value}),
  }
}
