import {type Kind, kindOf} from '../schemas/rules/jsonSchema/parameterKind.ts'
import {isObject, membersOf} from '../snippet/members.ts'
import {argumentsOf} from '../verdicts/arguments.ts'

/** A parameter that a person fills in. */
export type Field = {
  readonly name: string
  readonly kind: Kind
  readonly description: string
  readonly isRequired: boolean
  /** What can be chosen, of the kind `choice`: each value, and its label on the page. */
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly examples: readonly string[]
  /** The text that is there at first. */
  readonly initial: string
}

/** The fields of a tool's input schema. */
export function fieldsOf(schema: unknown): Field[] {
  const {properties, required} = membersOf(schema)
  return Object.entries(membersOf(properties)).map(([name, property]) => {
    const {description, title, default: initial, examples, enum: listed, anyOf, oneOf} = membersOf(property)
    const choices = Array.isArray(listed) ? listed : []
    const titles = new Map([anyOf, oneOf].flat().map((one) => [membersOf(one).const, membersOf(one).title]))
    const isChoice = choices.length > 0 && !choices.some(isObject)
    return {
      name,
      kind: isChoice ? 'choice' : kindOf(property),
      description: String(description ?? title ?? ''),
      isRequired: Array.isArray(required) && required.includes(name),
      choices: choices.map((choice) => [show(choice), String(titles.get(choice) || show(choice))]),
      examples: Array.isArray(examples) ? examples.map(show) : [],
      initial: initial === undefined ? '' : show(initial),
    }
  })
}

/** A value as a person types it. */
function show(value: unknown): string {
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return typeof value === 'string' ? value : isTexts ? value.join('\n') : JSON.stringify(value, null, 2)
}

/** The arguments that were typed: fields without a text are left out, and what is wrong is the tool's to refuse. */
export function readFields(
  schema: unknown,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const texts = fieldsOf(schema).map(({name, initial}) => ({name, value: typed[name] ?? initial}))
  return argumentsOf(
    texts.filter(({value}) => value.trim() !== ''),
    schema,
  )
}
