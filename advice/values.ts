import {checkerOf} from '../schemas/rules/jsonSchema/mismatch.ts'
import type {Subschema} from '../schemas/rules/jsonSchema/subschemas.ts'
import {type Advice, advise} from './advice.ts'

const FIELD = 'inputSchema'

/** Advice on choices, defaults and examples that contradict each other. */
export function adviseValues(subschemas: readonly Subschema[]): Advice[] {
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
