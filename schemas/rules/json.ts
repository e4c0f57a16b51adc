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
  return `${words.toLowerCase()} at ${describePosition(text, first.offset)}${remedyFor(text, first.offset)}`
}

/** What to do about the syntax errors of people who paste, or who write JSON for the first time. */
function remedyFor(text: string, offset: number): string {
  const pasted = remedyForPasted(text, offset)
  if (pasted !== undefined) return `, ${pasted}`
  if (text[offset] === "'") return ', write names and texts between " instead of \''
  const before = text.slice(0, offset).trimEnd()
  if (!before.endsWith(',')) return ''
  if (/^[}\]]/.test(text.slice(offset))) return ', remove the comma before it'
  return /\d,$/.test(before) && /^\d/.test(text.slice(offset))
    ? ', write numbers with a point, as in 0.5'
    : ''
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
