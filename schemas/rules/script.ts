import {type Options, parse} from 'acorn'
import {accept, type Parsed, refuse} from './parsed.ts'
import {describePosition, parseText} from './text.ts'

/**
 * A tool's script: the body of `async (args, {signal}) => {…}`, which "reads the call arguments through a variable
 * named `args` and returns the result with `return`".
 *
 * It is read twice. Alone, so that a `}` cannot close the function and let the rest run when the tool is registered.
 * Then inside its function, where a second `args` or a "use strict" shows, and as part of a module, because that is
 * how it runs on pages that forbid `eval`, and modules are always strict.
 */
export function parseScript(value: unknown): Parsed<string> {
  const text = parseText(value, 'The script', 100_000)
  if (!text.ok) return text
  const alone = findSyntaxError(text.value, '', '', {
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowHashBang: false,
  })
  const problem = alone ?? findSyntaxError(text.value, HEAD, TAIL, {sourceType: 'module'})
  return problem === undefined ? accept(text.value) : refuse(problem)
}

/** A script as an ES module, whose default export is the function that runs it. */
export function moduleOf(script: string): string {
  return HEAD + script + TAIL
}

const HEAD = 'export default async (args, {signal}) => {\n'
// On a line of its own, so that a comment at the script's end does not swallow it.
const TAIL = '\n}\n'

function findSyntaxError(
  script: string,
  head: string,
  tail: string,
  options: Omit<Options, 'ecmaVersion'>,
): string | undefined {
  try {
    parse(head + script + tail, {...options, ecmaVersion: 'latest'})
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) return 'The script is nested too deeply to be read: make it flatter.'
    const position = 'pos' in error && typeof error.pos === 'number' ? error.pos - head.length : 0
    const where = describePosition(script, Math.min(Math.max(position, 0), script.length))
    return `The script cannot be read at ${where}: ${reasonOf(error)}.`
  }
}

function reasonOf(error: SyntaxError): string {
  const reason = error.message.replace(/ \(\d+:\d+\)$/, '')
  // What the parser advises in these cases is advice for its callers.
  if (reason.includes("'import' and 'export'"))
    return 'a script cannot use import or export statements; import() works'
  if (reason.includes("Illegal 'use strict'")) return 'leave out "use strict", every script is strict already'
  return reason.charAt(0).toLowerCase() + reason.slice(1)
}
