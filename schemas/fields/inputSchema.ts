import {field} from '../field.ts'
import {parseInputSchema} from '../rules/inputSchema.ts'
import {describeSchema} from '../rules/jsonSchema/describeSchema.ts'

/** The input schema of a tool without parameters. */
const NO_PARAMETERS = {type: 'object', properties: {}}

export const inputSchema = field({
  name: 'inputSchema',
  type: 'text',
  title: 'Parameters',
  description:
    'What an agent passes to this tool, such as the words to search for. Describe each parameter, because agents read the descriptions. A tool that needs no input has no parameters. “JSON” shows them as JSON Schema.',
  isRequired: true,
  beyond: ['JSON Schema'],
  file: 'schema.json',
  form: {group: 'work', rows: 12, initialValue: JSON.stringify(NO_PARAMETERS, null, 2)},
  parse: parseInputSchema,
  isServed: true,
  answer: {at: 3},
  decidesCode: true,
  isHandedOver: true,
  rows: ({type: _, ...schema}) => describeSchema('Parameter', 'Parameters', schema),
})
