import type {TestArgument} from '../schemas/fields/tests.ts'
import type {ParameterSchema} from '../schemas/rules/jsonSchema/parameterKind.ts'
import {capital} from '../schemas/rules/text.ts'
import {argumentsOf} from './arguments.ts'
import {deriveCalls} from './derive.ts'

/** Another input for a test. */
export type Proposal = {
  readonly title: string
  readonly given: readonly TestArgument[]
  /** Whether the parameters forbid it, so that the call must fail. */
  readonly isRefused: boolean
}

/** What is known of a test. */
type KnownTest = {readonly title: string; readonly given: readonly TestArgument[]}

/**
 * Proposes inputs at the limits of the parameters and beyond them, with values of tests for the rest, those of the first
 * test before others. Leaves out what a test has already.
 */
export function proposalsFor(tests: readonly KnownTest[], parameters: ParameterSchema): Proposal[] {
  const inputs = tests.map(({given}) => argumentsOf(given, parameters))
  const known = new Set(inputs.map(canonical))
  const titles = new Set(tests.map(({title}) => title))
  const {calls} = deriveCalls(parameters, inputs)
  return calls.flatMap(({title: what, arguments: values, expect}) => {
    const given = typedArguments(values, parameters)
    const title = capital(what)
    if (given === undefined || known.has(canonical(values)) || titles.has(title)) return []
    known.add(canonical(values))
    return [{title, given, isRefused: expect.length > 0}]
  })
}

/**
 * The arguments of a call as an editor types them. Undefined: they cannot be typed, such as a number for a text.
 */
export function typedArguments(
  values: Readonly<Record<string, unknown>>,
  parameters: unknown,
): TestArgument[] | undefined {
  const passed = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  const given = Object.entries(passed).map(([name, value]) => ({name, value: typed(value)}))
  return canonical(argumentsOf(given, parameters)) === canonical(passed) ? given : undefined
}

/** A value as an editor types it. */
function typed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function canonical(values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}
