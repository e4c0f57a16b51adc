import type {Rule, SchemaTypeDefinition} from 'sanity'
import {advises} from '../advice/warnings.ts'
import {schemaTypes} from '../schemas/index.ts'
import {CODE_FIELDS, CodeDiff} from './inputs/code/codeDiff.tsx'
import {actionDiffOf} from './review/diff/actionDiff.tsx'
import {isLake} from './running.ts'

/** How "Review changes" shows fields. Changes of code keep their lines. */
const DIFFS: ReadonlyMap<string, object> = new Map([
  ...CODE_FIELDS.map((field): [string, object] => [field, CodeDiff]),
  ...['request', 'reading', 'link'].map((field): [string, object] => [field, actionDiffOf(field)]),
])

/** The document types, as Studio shows them. */
export const studioTypes: SchemaTypeDefinition[] = schemaTypes.map(({fields, ...type}) => ({
  ...type,
  fields: fields.map((declared) => {
    const field = {...declared, validation: withAdvice(declared)}
    // Hosted Sanity does not enforce reviews.
    if (field.name === 'review') return {...field, hidden: !isLake}
    const diff = DIFFS.get(field.name)
    return diff === undefined ? field : {...field, components: {diff}}
  }),
}))

/** The rules of a field, and what advice warns of in it. */
function withAdvice({name, validation}: {readonly name: string; readonly validation?: unknown}) {
  return (rule: Rule) => [
    ...(typeof validation === 'function' ? [validation(rule)].flat() : []),
    rule.custom(advises(name)).warning(),
  ]
}
