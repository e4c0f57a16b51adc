import {type Options, type Program, parse} from 'acorn'
import {accept, type Parsed, refuse} from './parsed.ts'
import {describePosition, parseVisibleText, remedyForPasted} from './text.ts'

/**
 * A tool's script: the body of `async (args, {signal}) => {…}`, which "reads the call arguments through a
 * variable named `args` and returns the result with `return`".
 *
 * The rule parses it inside its function, which reveals a second `args` or a "use strict", and as part of a
 * module, because that is how it runs on pages that forbid `eval`, and modules are always strict. A `}` in
 * the script must not close the function, or the rest would run when the tool is registered: the function's
 * closing bracket must be the one that was added here.
 *
 * Characters that a reader does not see are refused, also in comments and texts, where an escape such as `\\u202e` does
 * the same.
 *
 * HTML-like comments are refused: a function made from text has them (ECMA-262 §B.1.1), a module parses them
 * as operators, so the script would mean two different things.
 */
export function parseScript(value: unknown): Parsed<string> {
  const text = parseVisibleText(value, 'The script', 100_000)
  if (!text.ok) return text
  // A valid script for JavaScript, which takes the text after the first two for a template. It always fails.
  if (/^\s*```/.test(text.value)) return refuse('The script begins with ```: remove the lines with ```.')
  const comment = findHtmlComment(text.value)
  if (comment !== undefined) return refuse(comment)
  const inside = findProblem(text.value, HEAD, TAIL, MODULE)
  if (inside === undefined && !MAY_BE_OF_A_MODULE.test(text.value)) return accept(text.value)
  // Parsed alone first, so that syntax errors have positions in the script.
  const problem = findProblem(text.value, '', '', ALONE) ?? inside
  return problem === undefined ? accept(text.value) : refuse(problem)
}

/** The script as an ES module whose default export is the function that runs it. */
export function moduleOf(script: string): string {
  return HEAD + script + TAIL
}

/** What {@link moduleOf} puts before a script. */
export const HEAD = 'export default async (args, {signal}) => {\n'
// On its own line, so that a comment at the script's end does not hide it.
const TAIL = '\n}\n'

const MODULE = {sourceType: 'module', ecmaVersion: 'latest'} as const
const ALONE = {
  sourceType: 'script',
  ecmaVersion: 'latest',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowHashBang: false,
} as const

/** The script in a function made from text, where `<!--` starts a comment. */
const FUNCTION_HEAD = 'async (args, {signal}) => {\n'
const FUNCTION = {sourceType: 'script', ecmaVersion: 'latest'} as const

function findHtmlComment(script: string): string | undefined {
  if (!script.includes('<!--') && !script.includes('-->')) return undefined
  let problem: string | undefined
  const onComment: Options['onComment'] = (_isBlock, _text, position) => {
    const at = position - FUNCTION_HEAD.length
    const begin = ['<!--', '-->'].find((mark) => script.startsWith(mark, at))
    if (begin === undefined) return
    problem ??=
      `The script cannot be read at ${describePosition(script, at)}: "${begin}" begins an HTML comment. ` +
      `Remove it, or write "${begin === '<!--' ? '< !--' : '-- >'}" if you mean operators.`
  }
  try {
    parse(FUNCTION_HEAD + script + TAIL, {...FUNCTION, onComment})
  } catch {
    // Other problems are reported when the script is parsed as part of a module.
  }
  return problem
}

/** `import.meta`, or a comment in it: available in modules, but not in a function made from text. */
const MAY_BE_OF_A_MODULE = /\bimport\s*[./]/

function findProblem(script: string, head: string, tail: string, options: Options): string | undefined {
  try {
    const program = parse(head + script + tail, options)
    if (options.sourceType === 'module' && !isOneFunction(program))
      return 'The script has one "}" too many, which closes its function: remove it.'
    return undefined
  } catch (error) {
    // acorn reports a full stack as a syntax error only where it notices it first.
    if (!(error instanceof SyntaxError) || error.message.includes('stack space'))
      return 'The script is nested too deeply: make it flatter.'
    const position = 'pos' in error && typeof error.pos === 'number' ? error.pos - head.length : 0
    const at = Math.min(Math.max(position, 0), script.length)
    const remedy = remedyForPasted(script, at)
    const reason = remedy === undefined ? reasonOf(error) : `${reasonOf(error)}, ${remedy}`
    return `The script cannot be read at ${describePosition(script, at)}: ${reason}.`
  }
}

/** Whether a module consists only of the function that begins in `HEAD` and ends in `TAIL`. */
function isOneFunction({body, end}: Program): boolean {
  const [only, another] = body
  return (
    another === undefined &&
    only?.type === 'ExportDefaultDeclaration' &&
    only.declaration.type === 'ArrowFunctionExpression' &&
    only.declaration.body.start === HEAD.lastIndexOf('{') &&
    only.declaration.body.end === end - 1
  )
}

function reasonOf(error: SyntaxError): string {
  const reason = error.message.replace(/ \(\d+:\d+\)$/, '')
  // The parser's messages for these cases address its callers.
  if (reason.includes("'import' and 'export'"))
    return 'a script cannot use import or export statements; import() works'
  if (reason.includes("Illegal 'use strict'")) return 'leave out "use strict": scripts are always strict'
  return reason.charAt(0).toLowerCase() + reason.slice(1)
}
