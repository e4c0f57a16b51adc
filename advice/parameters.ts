import {nameFromWords} from '../making/names.ts'
import {isRecord} from '../schemas/record.ts'
import {checkerOf} from '../schemas/rules/jsonSchema/mismatch.ts'
import {compilesWithUnicode} from '../schemas/rules/jsonSchema/patterns.ts'
import {type Subschema, subschemasOf} from '../schemas/rules/jsonSchema/subschemas.ts'
import {type SecretKind, secretKindOf} from '../schemas/rules/names/secrets.ts'
import {type Advice, advise, type Fix} from './advice.ts'
import {duplicateKeys} from './duplicateKeys.ts'
import {adviseParameterDescription, LONGEST_NAME} from './texts.ts'

const FIELD = 'inputSchema'

/**
 * Advice on a tool's parameters.
 * @param schema an input schema that the rules accept
 * @param text the text from which it was parsed
 */
export function adviseParameters(schema: Record<string, unknown>, text: string): Advice[] {
  const subschemas = subschemasOf(schema)
  return [
    ...adviseDuplicates(text),
    ...adviseGroup(schema, []),
    ...adviseValues(subschemas),
    ...advisePatterns(subschemas),
  ]
}

/** Advice on names that an object has twice: only the last one counts. */
function adviseDuplicates(text: string): Advice[] {
  return duplicateKeys(text).map(({key, offset}) => {
    const message = `“${key}” is there twice, and only the last one counts: rename or remove one of them.`
    return advise('PARAMETER_DUPLICATE', FIELD, message, {offset})
  })
}

type Path = NonNullable<Advice['path']>

function adviseGroup({properties, required}: Record<string, unknown>, path: Path): Advice[] {
  if (!isRecord(properties)) return []
  const names = Object.keys(properties)
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const at = [...path, 'properties', name]
    const advice = [
      ...adviseParameterName(name, names, at),
      ...adviseSensitive(name, FIELD, at),
      ...adviseParameterText(name, property, at),
    ]
    if (!isRecord(property)) return advice
    const items = isRecord(property.items) ? adviseGroup(property.items, [...at, 'items']) : []
    return [...advice, ...adviseGroup(property, at), ...items]
  })
  return [...own, ...adviseRequired(required, properties, path)]
}

function adviseParameterName(name: string, names: readonly string[], path: Path): Advice[] {
  const advice: Advice[] = []
  if (name.length > LONGEST_NAME) {
    const message = `The parameter “${name}” has a name of ${name.length} characters. Agents handle names of up to ${LONGEST_NAME} characters best.`
    advice.push(advise('PARAMETER_NAME_LONG', FIELD, message, {path}))
  }
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
    const message = `Some agents refuse the parameter “${name}”: use the letters A to Z, digits and “_” only, such as “${nameFromWords(name) || 'value'}”.`
    advice.push(advise('PARAMETER_NAME_CHARACTERS', FIELD, message, {path}))
  }
  const twin = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase())
  if (twin !== undefined && names.indexOf(twin) < names.indexOf(name)) {
    const message = `“${twin}” and “${name}” differ only in upper and lower case, and agents mistake one for the other: rename one.`
    advice.push(advise('PARAMETER_DUPLICATE', FIELD, message, {path}))
  }
  return advice
}

function adviseParameterText(name: string, property: unknown, path: Path): Advice[] {
  const description = isRecord(property) ? property.description : undefined
  if (typeof description !== 'string' || description.trim() === '') {
    const message = `The parameter “${name}” has no description. Say what an agent should put there, with an example.`
    return [advise('PARAMETER_UNDESCRIBED', FIELD, message, {path})]
  }
  return adviseParameterDescription(name, description, FIELD, {path: [...path, 'description']})
}

function notRequired(name: unknown, required: readonly unknown[], path: Path): Fix {
  const value = required.filter((other) => other !== name)
  return {title: `Make “${name}” not required`, member: [...path, 'required'], value}
}

function adviseRequired(required: unknown, properties: Record<string, unknown>, path: Path): Advice[] {
  if (!Array.isArray(required)) return []
  return required
    .filter((name) => typeof name === 'string' && !Object.hasOwn(properties, name))
    .map((name) =>
      advise(
        'REQUIRED_UNKNOWN',
        FIELD,
        `“${name}” is required, but there is no parameter of that name. Agents cannot call the tool: add the parameter, or make it not required.`,
        {path: [...path, 'required'], fix: notRequired(name, required, path)},
      ),
    )
}

/** What a parameter must not ask an agent for. A parameter called “key” may be anything. */
const SENSITIVE: Readonly<Record<SecretKind, string | undefined>> = {
  password: 'a password',
  code: 'a code that signs in',
  card: 'a card number',
  key: 'a key',
  unsure: undefined,
}

/** Advice on a parameter, or a field of a form, for what only the visitor should type. */
export function adviseSensitive(name: string, field: string, path?: Advice['path']): Advice[] {
  const kind = secretKindOf(name)
  const what = kind && SENSITIVE[kind]
  if (what === undefined) return []
  const message = `“${name}” asks the agent for ${what}, which the model and its provider then see. Let the visitor type it on the page instead.`
  return [advise('PARAMETER_SENSITIVE', field, message, path && {path})]
}

/** Advice on regular expressions that only some agents accept. */
function advisePatterns(subschemas: readonly Subschema[]): Advice[] {
  return subschemas.flatMap(({schema: {pattern}, path, parameter}) => {
    if (typeof pattern !== 'string' || compilesWithUnicode(pattern)) return []
    const where = parameter === undefined ? '' : ` in “${parameter}”`
    const message = `The pattern${where} does not follow Unicode rules, as JSON Schema demands, and some agents refuse it. Remove “\\” before characters that need none, such as “-”.`
    return [advise('PATTERN_NOT_UNICODE', FIELD, message, {path: [...path, 'pattern']})]
  })
}

/** Advice on choices, defaults and examples that contradict each other. */
function adviseValues(subschemas: readonly Subschema[]): Advice[] {
  return subschemas.flatMap((found) => {
    const {parameter} = found
    if (parameter === undefined) return []
    return [...adviseChoices(found, parameter), ...adviseGiven(found, parameter)]
  })
}

function adviseChoices({schema, path}: Subschema, name: string): Advice[] {
  if (!Array.isArray(schema.enum) || schema.enum.length > 1) return []
  const several = String(schema.enum[0]).split(/\s*[;|\n]\s*/)
  // In a group, a single choice tells kinds of groups apart, such as {"type": {"enum": ["text"]}}.
  if (schema.enum.length === 1 && several.length === 1 && path.length > 2) return []
  const message =
    schema.enum.length === 0
      ? `“${name}” is one of a list, and the list is empty: add the choices.`
      : several.length > 1
        ? `“${name}” has a single choice, “${schema.enum[0]}”: separate choices with commas.`
        : `“${name}” has a single choice, so there is nothing to choose: add the others, or remove the parameter.`
  const member = [...path, 'enum']
  const fix = {title: `Make these ${several.length} choices`, member, value: several}
  return [advise('CHOICES_FEW', FIELD, message, {path: member, ...(several.length > 1 ? {fix} : {})})]
}

/** Advice on values that the schema has itself, and does not allow. */
function adviseGiven({schema, path}: Subschema, name: string): Advice[] {
  const {default: initial, examples, enum: choices, ...others} = schema
  const given = [
    ...(initial === undefined
      ? []
      : [{value: initial, what: 'value if left out', at: 'default', by: schema}]),
    ...listed(examples).map((value) => ({value, what: 'example', at: 'examples', by: schema})),
    ...listed(choices).map((value) => ({value, what: 'choice', at: 'enum', by: others})),
  ]
  return given.flatMap(({value, what, at, by}) => {
    const problem = problemOf(value, by)
    if (problem === undefined) return []
    const message = `The ${what} of “${name}”, ${JSON.stringify(value)}, is not allowed: it ${problem}.`
    return [advise('VALUE_NOT_ALLOWED', FIELD, message, {path: [...path, at]})]
  })
}

function listed(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : []
}

/** Why a schema does not allow a value. */
function problemOf(value: unknown, schema: Record<string, unknown>): string | undefined {
  try {
    return checkerOf(schema, '2020-12')(value)?.problem
  } catch {
    // It refers to another part of the schema.
    return undefined
  }
}
