import {DECLARATIONS, fieldOf} from '../../schemas/index.ts'
import {HINTS} from '../../schemas/rules/hints/annotations.ts'

/** The types of documents that Handrail knows. */
export const TYPES = DECLARATIONS.map(({name}) => name)

const NOUNS = new Map([['formTool', 'form tool']])

/** What documents of a type are called in a sentence. */
export function nounOf(type: string): string {
  return NOUNS.get(type) ?? type
}

/** The title of a field in Studio; the field's own name if it has none. */
export function fieldTitle(type: string, field: string): string {
  const [name = ''] = field.split('.')
  const hint = HINTS.find((known) => field === `annotations.${known}`)
  return hint ?? fieldOf(type, name)?.title ?? name
}
