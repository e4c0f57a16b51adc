import {Script} from 'node:vm'

/** Maximum length in characters. Longer scripts are read in a worker thread, because they may take long. */
const MAX_LENGTH = 5_000

/**
 * Maximum brackets, arrow functions and prefixes. The engine accepts deeper nesting than acorn, whose stack ends at
 * 500 levels.
 */
const MAX_NESTING = 300
const NESTING = /[([{!~]|=>/g

/**
 * Characters other than ASCII, and letters and punctuation that every version of Unicode classifies alike. Which others an
 * identifier may contain depends on the version.
 */
const OTHER_CHARACTERS =
  /[^\t\n\r -~\xa0-\u024f\u0400-\u0481\u048a-\u04ff\u2010-\u2027\u2030-\u203a\u20ac\u3001-\u3003\u3008-\u3011\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3]/

/** What the engine reads differently in an ordinary script than acorn does in a module. May match more than that. */
const READ_DIFFERENTLY = [
  // Escapes in identifiers and of Unicode properties, and what is still new: `import.source`, `import.defer`, `using`.
  /\\[upP]|\bimport\s*[./]|\busing\b/,
  // A bracket that closes the function, before the colon that comes after it in `HEAD` and `TAIL`, or before a comment.
  /\}\s*[:/]/,
  // Assignments to calls fail only when they run (https://crbug.com/v8/4480): `f() = 1`, `for (f() of x)`, perhaps with a
  // comment before the operator, `f()++` and `++f()`. HTML-like comments contain `--`.
  /(?:\)|\*\/|^)[^\S\r\n]*(?:(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=(?![=>])|(?:of|in)\b)/,
  /(?:\+\+|--)(?![ \t]*[;),\]}])|(?:[^\w$\]]|^)(?:\+\+|--)/,
  // `await` as an identifier, in a function that is not asynchronous. With an operand on the same line, it is an operator.
  /\bawait\b(?![ \t]+(?!(?:in|of|instanceof)\b)[\w$"'])/,
].map(({source}) => new RegExp(source, 'm'))

/** Only a colon may follow the function. */
const HEAD = '"use strict";0?async(args,{signal})=>{\n'
const TAIL = '\n}:0'

/**
 * Whether a script is certainly one that `parseScript` accepts: V8 compiles it, which takes a fifth of the time that acorn
 * takes, and it has nothing that V8 and acorn read differently. It is never run.
 * @returns false also for valid scripts, which only acorn can tell.
 */
export function isPlainScript(script: string): boolean {
  if (script.length > MAX_LENGTH || OTHER_CHARACTERS.test(script)) return false
  if (READ_DIFFERENTLY.some((pattern) => pattern.test(script))) return false
  if ((script.match(NESTING)?.length ?? 0) > MAX_NESTING) return false
  try {
    return new Script(HEAD + script + TAIL) instanceof Script
  } catch {
    return false
  }
}
