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

/** What scripts use of a response of `fetch`. */
const RESPONSE: readonly Completion[] = [
  {
    label: 'json',
    type: 'method',
    apply: 'json()',
    info: 'Reads the data. Write “await” before it.',
    boost: 2,
  },
  {label: 'ok', type: 'property', info: 'Whether the server did what it was asked for.', boost: 1},
  {label: 'status', type: 'property', info: 'A number: 200 is fine, 404 means that there is no such thing.'},
  {label: 'text', type: 'method', apply: 'text()', info: 'Reads the text. Write “await” before it.'},
  {label: 'headers', type: 'property', info: 'The headers of the response.'},
]

const SIGNAL: readonly Completion[] = [
  {label: 'aborted', type: 'property', info: 'Whether the agent has cancelled the call.', boost: 1},
  {label: 'throwIfAborted', type: 'method', apply: 'throwIfAborted()', info: 'Ends the script if it has.'},
]

const browserScope = scopeCompletionSource(globalThis)

/** Completes `args.` with the parameters, and other names with the globals that a script may use. */
export function scriptCompletions(schemaText: string) {
  const parameters = parametersIn(schemaText)
  const membersOf = (text: string, script: string): readonly Completion[] | undefined => {
    const [, name = ''] = /^([\w$]+)/.exec(text) ?? []
    if (name === 'args') return parameters
    if (name === 'signal') return SIGNAL
    return isResponse(name, script) ? RESPONSE : undefined
  }
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const member = context.matchBefore(/(?<![\w$.])[\w$]+\??\.\w*$/)
    const options = member === null ? undefined : membersOf(member.text, context.state.doc.toString())
    if (member !== null && options !== undefined)
      return {from: member.from + member.text.indexOf('.') + 1, options, validFor: /^\w*$/}
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

/** Whether a script stores a response of `fetch` under a name. The script may not parse while it is typed. */
function isResponse(name: string, script: string): boolean {
  const declared = script.matchAll(/\b(?:const|let|var)\s+([\w$]+)\s*=\s*await\s+fetch\b/g)
  return [...declared].some(([, variable]) => variable === name)
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
