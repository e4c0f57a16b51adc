import {field} from '../field.ts'
import {parseOutputSchema} from '../rules/inputSchema.ts'
import {describeSchema} from '../rules/jsonSchema/describeSchema.ts'
import {accept} from '../rules/parsed.ts'

export const outputSchema = field({
  name: 'outputSchema',
  type: 'text',
  title: 'Output schema',
  description:
    'What the script returns, as JSON Schema, such as {"type": "array", "items": {"type": "string"}}. Agents can use it to read the result, and some refuse a result that differs. May be empty.',
  file: 'output-schema.json',
  form: {group: 'work', fieldset: 'result', rows: 8},
  // A broken one costs only itself: agents can call the tool without it.
  parse: (value) => {
    const parsed = parseOutputSchema(value)
    return accept(parsed.ok ? parsed.value : undefined)
  },
  isServed: true,
  answer: {at: 8},
  rows: (schema) => {
    if (schema === undefined) return []
    const rows = describeSchema('Member', 'Output schema', schema)
    return rows.length > 0 ? rows : [{title: '', text: 'Anything'}]
  },
})
