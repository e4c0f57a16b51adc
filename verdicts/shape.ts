import {isRecord} from '../schemas/record.ts'
import {LONGEST_TEXT, shortened, shown} from '../schemas/rules/text.ts'

/** Characters of a whole value. */
const LONGEST_SHAPE = 200
const LONGEST_NAME = 40

/** Members that are shown of one object, and how deep. */
const MAX_MEMBERS = 8
const DEEPEST = 3

/** What a value is, in short: `{data: {items: […]}, total: 3}`. */
export function shapeOf(value: unknown): string {
  return shortened(describe(value, 1), LONGEST_SHAPE)
}

function describe(value: unknown, depth: number): string {
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (!isRecord(value)) return value === undefined ? 'nothing' : shortened(String(value), LONGEST_TEXT)
  const members = Object.entries(value)
  if (members.length === 0) return '{}'
  if (depth > DEEPEST) return '{…}'
  const described = members.slice(0, MAX_MEMBERS).map(([name, member]) => {
    return `${shortened(name, LONGEST_NAME)}: ${describe(member, depth + 1)}`
  })
  return `{${[...described, ...(members.length > MAX_MEMBERS ? ['…'] : [])].join(', ')}}`
}
