import type {SchemaTypeDefinition} from 'sanity'
import {schemaTypes} from '../schemas/index.ts'
import {CodeDiff} from './inputs/code/codeDiff.tsx'

/** The fields of documents that hold code. */
export const CODE_FIELDS = ['executeJs', 'inputSchema', 'outputSchema']

/**
 * The document types, as Studio shows them: changes of code keep their lines.
 * @param isLake whether the content is in a lake: hosted Sanity does not enforce reviews
 */
export const studioTypes = (isLake: boolean): SchemaTypeDefinition[] =>
  schemaTypes.map(({fields, ...type}) => ({
    ...type,
    fields: fields.map((field) => {
      if (field.name === 'review') return {...field, hidden: !isLake}
      return CODE_FIELDS.includes(field.name) ? {...field, components: {diff: CodeDiff}} : field
    }),
  }))
