import type {Completion, CompletionSource} from '@codemirror/autocomplete'
import {scopeCompletionSource} from '@codemirror/lang-javascript'
import {jsonIn} from '../../../common/json.ts'
import {isRecord} from '../../../schemas/record.ts'
import {textOf} from '../../../schemas/rules/text.ts'

/** What a script has besides the globals of a page. */
const OWN: readonly Completion[] = [
  {label: 'args', type: 'variable', info: 'The arguments of the call, one for each parameter.', boost: 3},
  {
    label: 'signal',
    type: 'variable',
    info: 'Aborts when the agent cancels the call. Pass it to fetch.',
    boost: 2,
  },
]

const page = scopeCompletionSource(globalThis)

/** Completes `args.` with the parameters, besides what the language and the page have. */
export function scriptCompletions(schemaText: string): CompletionSource {
  const schema = jsonIn(schemaText)
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
  const parameters = Object.entries(properties).map(([label, parameter]) => ({
    label,
    type: 'property',
    info: textOf(isRecord(parameter) && parameter.description),
  }))
  return (context) => {
    const member = context.matchBefore(/(?<![\w$.])args\??\.\w*$/)
    if (member !== null)
      return {from: member.from + member.text.indexOf('.') + 1, options: parameters, validFor: /^\w*$/}
    const word = context.matchBefore(/(?<![\w$.])[\w$]+$/)
    return word === null ? page(context) : {from: word.from, options: OWN, validFor: /^[\w$]*$/}
  }
}
