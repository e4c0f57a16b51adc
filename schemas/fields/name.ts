import {field} from '../field.ts'
import {parseToolName} from '../rules/names/toolName.ts'
import {hasUniqueToolName} from '../unique.ts'

/** What JSON Schema says of the name of a tool. */
export const TOOL_NAME = {pattern: '^[A-Za-z0-9_.-]{1,128}$'}

/** The name of a tool or form tool. */
export const name = field({
  name: 'name',
  type: 'string',
  title: 'Name',
  description:
    'The name that agents use for the tool, such as "searchProducts": a verb first, then its object. Only letters, digits, "_", "." and "-".',
  isRequired: true,
  schema: TOOL_NAME,
  form: {group: 'about'},
  parse: parseToolName,
  checks: [hasUniqueToolName],
  isServed: true,
  answer: {at: 1},
  decidesCode: true,
  isHandedOver: true,
})
