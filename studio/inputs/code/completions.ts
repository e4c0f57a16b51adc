import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete'
import {localCompletionSource, scopeCompletionSource} from '@codemirror/lang-javascript'
import {jsonIn} from '../../../common/json.ts'
import {isRecord} from '../../../schemas/record.ts'
import {kindOf} from '../../../schemas/rules/jsonSchema/parameterKind.ts'

/** Names that every script can use, with descriptions. */
const OFFERED: readonly Completion[] = [
  {label: 'args', type: 'variable', info: 'The arguments of the call, one for each parameter.', boost: 3},
  {
    label: 'signal',
    type: 'variable',
    info: 'Aborts when the agent cancels the call. Pass it to fetch.',
    boost: 2,
  },
  snippetCompletion('const response = await fetch(#{url}, {signal})', {
    label: 'fetch',
    type: 'function',
    info: 'Loads data from a URL.',
    boost: 1,
  }),
  snippetCompletion("throw new Error('#{what was wrong, and what the agent can do}')", {
    label: 'throw',
    type: 'keyword',
    info: 'Tells the agent that the call failed, and why.',
  }),
  {label: 'return', type: 'keyword', info: 'Ends the script and returns its result.'},
  {label: 'document', type: 'variable', info: 'The page.'},
  {label: 'location', type: 'variable', info: 'The URL of the page.'},
]

const browserScope = scopeCompletionSource(globalThis)

/** Completes `args.` with the parameters, and other names with the globals that a script may use. */
export function scriptCompletions(schemaText: string) {
  const parameters = parametersIn(schemaText)
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const member = context.matchBefore(/(?<![\w$.])args\??\.\w*$/)
    if (member !== null)
      return {from: member.from + member.text.indexOf('.') + 1, options: parameters, validFor: /^\w*$/}
    const path = context.matchBefore(/[\w$]+\.[\w$.]*$/)
    if (path !== null) return browserScope(context)
    const word = context.matchBefore(/[\w$]+$/)
    if (word === null && !context.explicit) return null
    const local = await localCompletionSource(context)
    return {
      from: word?.from ?? context.pos,
      options: [...OFFERED, ...(local?.options ?? [])],
      validFor: /^[\w$]*$/,
    }
  }
}

function parametersIn(schemaText: string): Completion[] {
  const schema = jsonIn(schemaText)
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  return Object.entries(schema.properties).map(([label, parameter]) => {
    const description = isRecord(parameter) ? parameter.description : undefined
    return {
      label,
      type: 'property',
      detail: kindOf(parameter),
      ...(typeof description === 'string' && {info: description}),
    }
  })
}
