import {HINTS} from '../../schemas/rules/hints/annotations.ts'
import {FIELD_TITLES} from './titles.generated.ts'

/** Documents may have any type, such as `constructor`. */
const TITLES = new Map(
  Object.entries(FIELD_TITLES).map(([type, titles]) => [type, new Map(Object.entries(titles))]),
)

/** The types of documents that Handrail knows. */
export const TYPES = [...TITLES.keys()]

const NOUNS = new Map([['formTool', 'form tool']])

/** What documents of a type are called in a sentence. */
export function nounOf(type: string): string {
  return NOUNS.get(type) ?? type
}

/** The title of a field in Studio; the field's own name if it has none. */
export function fieldTitle(type: string, field: string): string {
  const [name = ''] = field.split('.')
  const hint = HINTS.find((known) => field === `annotations.${known}`)
  return hint ?? TITLES.get(type)?.get(name) ?? name
}

/** The names of a type's fields. */
export function fieldsOf(type: string): string[] {
  return [...(TITLES.get(type)?.keys() ?? [])]
}
