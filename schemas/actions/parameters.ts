import {isRecord} from '../record.ts'
import type {ObjectSchema} from '../rules/inputSchema.ts'
import {BrokenRule} from '../rules/parsed.ts'
import type {Action} from './action.ts'
import type {Address} from './parts/address.ts'
import {parametersIn, type Template} from './parts.ts'
import type {Inside} from './row.ts'

/** Where an action uses a parameter. */
type ParameterUse = {
  readonly parameter: string
  /** The field of the document, such as `request.body.0.parameter`. */
  readonly field: string
  /** `path` needs a value. A `body` of JSON takes any kind of value, the others text, numbers, and yes or no. */
  readonly place: 'path' | 'text' | 'body'
}

/** The uses of parameters by an action, in the order of the document. */
export function parameterUses(action: Action): ParameterUse[] {
  switch (action.kind) {
    case 'reading':
      return []
    case 'link':
      return usesOfAddress(action.address, 'link.address')
    case 'request': {
      const {address, query, body, encoding, nothing = []} = action
      const place = encoding === 'json' ? 'body' : 'text'
      return [
        ...usesOfAddress(address, 'request.address'),
        ...query.flatMap(({value, inside}, at) =>
          usesOfRow(value, `request.query.${at}`, placeIn(inside) ?? 'text'),
        ),
        ...body.flatMap(({value, inside}, at) =>
          usesOfRow(value, `request.body.${at}`, placeIn(inside) ?? place),
        ),
        ...usesOfText(nothing, 'request.nothing', 'text'),
      ]
    }
  }
}

function placeIn(inside: Inside | undefined): ParameterUse['place'] | undefined {
  return inside && (inside.text === 'json' ? 'body' : 'text')
}

function usesOfAddress({path, query, fragment}: Address, field: string): ParameterUse[] {
  return [
    ...usesOfText(path, field, 'path'),
    ...query.flatMap(({value}) => usesOfText(value, field, 'text')),
    ...usesOfText(fragment, field, 'path'),
  ]
}

function usesOfText(template: Template, field: string, place: ParameterUse['place']): ParameterUse[] {
  return parametersIn(template).map((parameter) => ({parameter, field, place}))
}

function usesOfRow(value: object, field: string, place: ParameterUse['place']): ParameterUse[] {
  return 'parameter' in value && typeof value.parameter === 'string'
    ? [{parameter: value.parameter, field: `${field}.parameter`, place}]
    : []
}

/** @throws BrokenRule if an action uses a parameter that the tool does not have, or in a place where it cannot be */
export function checkParameters(action: Action, schema: ObjectSchema): void {
  for (const {parameter, field, place} of parameterUses(action)) {
    if (!Object.hasOwn(schema.properties, parameter))
      throw new BrokenRule(field, `The tool has no parameter “${parameter}”. ${remedyFor(parameter, schema)}`)
    if (place === 'path' && !isRequired(schema, parameter))
      throw new BrokenRule(field, `The address needs “${parameter}”: make the parameter required.`)
    if (place !== 'body' && !isSimple(schema.properties[parameter]))
      throw new BrokenRule(
        field,
        `The parameter “${parameter}” may be a group of values, which only a body of JSON can have: choose text, a number, or yes or no as its kind.`,
      )
  }
}

function remedyFor(parameter: string, schema: ObjectSchema): string {
  const names = Object.keys(schema.properties)
  const meant = names.find((name) => name.toLowerCase() === parameter.toLowerCase())
  if (meant !== undefined) return `Upper and lower case differ: write “${meant}”.`
  if (names.length === 0) return 'It has none: add it to the parameters.'
  return `It has ${names.map((name) => `“${name}”`).join(', ')}: add it to the parameters, or choose one of these.`
}

/** Whether agents must pass a parameter. */
function isRequired({required}: ObjectSchema, parameter: string): boolean {
  return Array.isArray(required) && required.includes(parameter)
}

const SIMPLE: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/** Whether a parameter is a text, a number, yes or no, or a list of these, so that it can be a part of a text. */
function isSimple(property: unknown): boolean {
  if (!isRecord(property) || property.$ref !== undefined) return false
  const {type, items} = property
  // The snippet checks nothing in a list with different entries.
  if (type === 'array')
    return property.prefixItems === undefined && isRecord(items) && items.type !== 'array' && isSimple(items)
  if (SIMPLE.includes(type)) return true
  if (Array.isArray(type)) return type.length > 0 && type.every((one) => SIMPLE.includes(one))
  const choices: unknown = property.enum
  return Array.isArray(choices) && choices.every((choice) => SIMPLE.includes(typeof choice))
}
