import type {SchemaTypeDefinition} from 'sanity'
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
  fields: fields.map((field) => {
    // Hosted Sanity does not enforce reviews.
    if (field.name === 'review') return {...field, hidden: !isLake}
    const diff = DIFFS.get(field.name)
    return diff === undefined ? field : {...field, components: {diff}}
  }),
}))
