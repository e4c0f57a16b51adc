import {Ajv, type ErrorObject} from 'ajv'
import {Ajv2020} from 'ajv/dist/2020.js'
import {stepsOfPointer} from '../schemas/rules/jsonSchema/problems.ts'
import {formatMemberPath} from '../schemas/rules/names/memberPath.ts'
import {shortened} from '../schemas/rules/text.ts'
import {findMember} from './member.ts'
import {shapeOf} from './shape.ts'

const OPTIONS = {strict: false, validateFormats: false, logger: false} as const

/**
 * Compiles an output schema. Not for pages: their policies may forbid what Ajv compiles.
 * @param schema an accepted output schema
 * @returns a function that says how a result differs from it
 */
export function schemaChecker(
  schema: Readonly<Record<string, unknown>>,
): (data: unknown) => string | undefined {
  const Validator = String(schema.$schema ?? '').includes('draft-07') ? Ajv : Ajv2020
  try {
    const validate = new Validator(OPTIONS).compile(schema)
    return (data) => (validate(data) ? undefined : describe(data, validate.errors?.[0]))
  } catch (error) {
    const reason = shortened(error instanceof Error ? error.message : String(error), 150)
    return () => `The output schema cannot be used: ${reason}.`
  }
}

function describe(data: unknown, error: ErrorObject | undefined): string {
  const path = stepsOfPointer(error?.instancePath ?? '').map((part) =>
    /^\d+$/.test(part) ? Number(part) : part,
  )
  const member = formatMemberPath(path)
  const found = findMember(data, member)
  const where = member === '' ? 'The result' : `“${shortened(member, 60)}”`
  const value = found.ok ? `: it is ${shapeOf(found.value)}` : ''
  return `${where} does not match the output schema: it ${error?.message ?? 'is different'}${value}.`
}
