import {pageConditions, parseOfferedWhile} from '../../schemas/rules/conditions/offeredWhile.ts'
import {
  type Annotations,
  annotationsOf,
  inferAnnotations,
  parseAnnotations,
} from '../../schemas/rules/hints/annotations.ts'
import {type AskBefore, asksVisitor} from '../../schemas/rules/hints/askBefore.ts'
import {changesSomething} from '../../schemas/rules/hints/effects.ts'
import {parseInputSchema, parseOutputSchema} from '../../schemas/rules/inputSchema.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Fields} from '../../schemas/rules/tool.ts'
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
  const conditions = parseOfferedWhile(document.offeredWhile)
  const isConditional = conditions.ok && pageConditions(conditions.value) !== undefined
  const common = {type, name, ...(isConditional && {isConditional})}
  if (type === 'formTool') {
    const isSubmitted = document.autosubmit === true
    const asks = isSubmitted && asksVisitor(askBefore, inferAnnotations(name))
    return {...common, annotations: {}, autosubmit: isSubmitted && !asks, ...(asks && {asksVisitor: true})}
  }
  const hints = parseAnnotations(document.annotations)
  const input = parseInputSchema(document.inputSchema)
  const output = parseOutputSchema(document.outputSchema)
  const annotations: Annotations = hints.ok
    ? {
        ...annotationsOf(name, hints.value.hints, inferAnnotations(name, document)),
        ...(hints.value.debugging && {debugging: true}),
      }
    : {}
  return {
    ...common,
    annotations,
    ...(asksVisitor(askBefore, annotations, changesSomething(document)) && {asksVisitor: true}),
    ...(input.ok && {inputSchema: input.value}),
    ...(output.ok && {outputSchema: output.value}),
  }
}

/** A tool that pages register themselves. Only its name is known, and not which of the pages have it. */
export function toolOfPages(name: string): OfferedTool {
  return {type: 'tool', name, annotations: {}, isConditional: true, isOfPages: true}
}
