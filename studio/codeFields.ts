import type {SchemaTypeDefinition} from 'sanity'
import {schemaTypes} from '../schemas/index.ts'
import {CodeDiff} from './inputs/code/codeDiff.tsx'

/** The fields of documents that hold code. */
const CODE_FIELDS = ['executeJs', 'inputSchema', 'outputSchema']

/** The document types, as Studio shows them: changes of code keep their lines. */
export const studioTypes: SchemaTypeDefinition[] = schemaTypes.map(({fields, ...type}) => ({
  ...type,
  fields: fields.map((field) =>
    CODE_FIELDS.includes(field.name) ? {...field, components: {diff: CodeDiff}} : field,
  ),
}))
