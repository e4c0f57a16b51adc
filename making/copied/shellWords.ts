import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'

/** A word of a command. */
export type Word = {
  readonly text: string
  /** A value that only the shell of its author knows, such as `$TOKEN`. */
  readonly variable?: string | undefined
}

/** Escapes in `$'…'`, but for `\'`, `\"` and the like, which stand for the character. */
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  v: '\v',
}

const PART = new RegExp(
  [
    /(?<continued>\\[ \t]*\r?\n(?:[ \t]*> )?)/,
    /(?<comment>(?<!\S)#[^\n]*)/,
    // The command ends, and what follows is another.
    /(?<end>(?<!\S)(?:&&?|\|\|?)(?!\S)|;(?!\S))/,
    /(?<redirected>(?<!\S)[\d&]?(?:>{1,2}|<{1,3})[&\s]*\S+)/,
    /(?<space>\s+)/,
    /\$'(?<escaped>(?:\\.|[^'\\])*)'/,
    /'(?<single>[^']*)'/,
    /\$?"(?<double>(?:\\.|[^"\\])*)"/,
    /\\(?<character>.)/,
    /(?<plain>\$\w+|\$[{(][^\s'"]*|[^\s'"\\$;]+|[$;])/,
  ]
    .map(({source}) => source)
    .join('|'),
  'suy',
)

/** In small letters it is one of a website, such as `$filter` of OData, which should have been in single quotes. */
const VARIABLE = /\$(?:[A-Z_][A-Z_\d]+\b|\{\w+\}|\([^()]*\))/

const SEVERAL = 'These are several commands: copy a command for one request.'

/** The words of a command, as a POSIX shell reads it: quotes, `$'…'`, comments, and line breaks after a backslash. */
export function wordsOf(text: string): Parsed<Word[]> {
  const words: Word[] = []
  let word: Word | undefined
  for (let at = 0; at < text.length; at = PART.lastIndex) {
    PART.lastIndex = at
    const found = PART.exec(text)?.groups
    if (found === undefined) return refuse('A quotation mark of the command is not closed: copy all of it.')
    const {continued, comment, end, redirected, space, escaped, single, double, character, plain} = found
    if (end !== undefined) {
      if (/(?:^|\s)curl\s/.test(text.slice(PART.lastIndex))) return refuse(SEVERAL)
      break
    }
    if (continued !== undefined || comment !== undefined) continue
    if (space !== undefined || redirected !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      if (space?.includes('\n') && /^curl\s/.test(text.slice(PART.lastIndex, PART.lastIndex + 5)))
        return refuse(SEVERAL)
      continue
    }
    const piece =
      single ??
      (escaped === undefined ? undefined : unescaped(escaped)) ??
      double?.replace(/\\(["\\$`]|\r?\n)/g, (_, one) => (/\n/.test(one) ? '' : one)) ??
      character ??
      plain ??
      ''
    const [variable] = VARIABLE.exec(double ?? plain ?? '') ?? []
    word = {text: `${word?.text ?? ''}${piece}`, variable: word?.variable ?? variable}
  }
  return accept(word === undefined ? words : [...words, word])
}

function unescaped(text: string): string {
  return text.replace(
    /((?:\\x[\dA-Fa-f]{1,2}|\\[0-7]{1,3})+)|\\u([\dA-Fa-f]{1,4})|\\U([\dA-Fa-f]{1,8})|\\(.)/gs,
    (_, bytes, short, long, one) => {
      if (bytes !== undefined) return textOfBytes(bytes)
      const code = Number.parseInt(short ?? long, 16)
      if (Number.isNaN(code)) return ESCAPES[one] ?? one
      return code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code)
    },
  )
}

/** The text of escapes such as `\303\251` or `\xc3\xa9`, which are bytes of UTF-8. */
function textOfBytes(escapes: string): string {
  const bytes = escapes
    .split('\\')
    .slice(1)
    .map((one) => (one.startsWith('x') ? Number.parseInt(one.slice(1), 16) : Number.parseInt(one, 8)))
  return new TextDecoder().decode(Uint8Array.from(bytes))
}
