import {isRecord} from '../record.ts'
import {parseTitle} from './names/toolName.ts'
import {accept, type Parsed, parseEach, refuse} from './parsed.ts'
import {parseText} from './text.ts'

/** What agents learn about a field of a form. `name` is the field's `name` in the page's HTML. */
type FormField = {readonly name: string; readonly title?: string; readonly description?: string}

/** More than any form for people has. */
const MAX_FIELDS = 100

/** The described fields of a form tool. A name occurs once: all fields with that name are one parameter. */
export function parseFormFields(value: unknown): Parsed<FormField[]> {
  return parseEach(value, 'The fields', MAX_FIELDS, parseFormField, ({name}) => name)
}

function parseFormField(value: unknown): Parsed<FormField> {
  if (!isRecord(value)) return refuse('A field must be an object with a name.')
  const name = parseText(value.name, 'The name of a field', 200)
  if (!name.ok) return name
  const what = `of the field "${name.value}"`
  const title = parseTitle(value.title, `The title ${what}`)
  if (!title.ok) return title
  const description =
    value.description === undefined || value.description === null
      ? accept(undefined)
      : parseText(value.description, `The description ${what}`, 1000)
  if (!description.ok) return description
  if (title.value === undefined && description.value === undefined)
    return refuse(`The field "${name.value}" has neither a title nor a description: write one of them.`)
  return accept({
    name: name.value,
    ...(title.value !== undefined && {title: title.value}),
    ...(description.value !== undefined && {description: description.value}),
  })
}
