import {checkerOf, findDialect, type Mismatch} from '../schemas/rules/jsonSchema/mismatch.ts'
import {formatMemberPath} from '../schemas/rules/names/memberPath.ts'
import {shortened} from '../schemas/rules/text.ts'
import {findMember} from './member.ts'
import {shapeOf} from './shape.ts'

/**
 * Says how a result differs from the output schema of its tool, in a sentence.
 * @param data as an agent gets it
 */
export function mismatchOf(data: unknown, schema: Readonly<Record<string, unknown>>): string | undefined {
  if (data === undefined) return 'The result is nothing that JSON can hold.'
  try {
    const mismatch = checkerOf(schema, findDialect(schema.$schema) ?? '2020-12')(data)
    return mismatch && describe(data, mismatch)
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    return `The output schema cannot be used: ${shortened(reason.replace(/\.$/, ''), 150)}.`
  }
}

function describe(data: unknown, {path, problem}: Mismatch): string {
  const member = formatMemberPath(path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)))
  const found = findMember(data, member)
  const where = member === '' ? 'The result' : `“${shortened(member, 60)}”`
  const value = found.ok ? `: it is ${shapeOf(found.value)}` : ''
  return `${where} does not match the output schema: it ${problem}${value}.`
}
