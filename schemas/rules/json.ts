import {type ParseError, parseTree, printParseErrorCode} from 'jsonc-parser'
import {jsonIn} from '../record.ts'
import {accept, type Parsed, refuse} from './parsed.ts'
import {describePosition, remedyForPasted} from './text.ts'

/** Deeper nesting is never useful, and recursive code would exceed the stack. */
const DEEPEST = 64

/** Parses JSON. For invalid JSON, the problem names the line and column of the syntax error. */
export function parseJson(text: string, what: string): Parsed<unknown> {
  const value = jsonIn(text)
  if (value === undefined) return refuse(`${what} is not valid JSON: ${findSyntaxError(text)}.`)
  const problem = findUnsafe(value, what)
  return problem === undefined ? accept(value) : refuse(problem)
}

// The error messages of `JSON.parse` differ between engines, and only some contain a position.
function findSyntaxError(text: string): string {
  const errors: ParseError[] = []
  try {
    parseTree(text, errors, {disallowComments: true, allowTrailingComma: false})
  } catch {
    return 'it is nested too deeply'
  }
  const [first] = errors
  if (first === undefined) return 'it cannot be read'
  const words = printParseErrorCode(first.error).replace(
    /([a-z])([A-Z])/g,
    (_, end, start) => `${end} ${start}`,
  )
  const isTrailing = /,\s*$/.test(text.slice(0, first.offset)) && /^[}\]]/.test(text.slice(first.offset))
  const remedy =
    remedyForPasted(text, first.offset) ?? (isTrailing ? 'remove the comma before it' : undefined)
  return `${words.toLowerCase()} at ${describePosition(text, first.offset)}${remedy === undefined ? '' : `, ${remedy}`}`
}

function findUnsafe(value: unknown, what: string, depth = 1): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > DEEPEST) return `${what} is nested more than ${DEEPEST} levels deep: make it flatter.`
  // When an object is copied member by member, an own member of this name becomes the prototype.
  if (Object.hasOwn(value, '__proto__')) return `${what} cannot contain "__proto__": rename it.`
  for (const member of Object.values(value)) {
    const problem = findUnsafe(member, what, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
