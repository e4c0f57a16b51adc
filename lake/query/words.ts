// groq-js splits texts into words at these characters.
const NO_SEPARATOR = String.raw`[^!@#$%^&*(),\\/?";:{}|[\]+<>\s-]`
const WORDS = new RegExp(`${NO_SEPARATOR}+`, 'g')
const TERMS = /[^!@#$%^&(),\\/?";:{}|[\]+<>\s-]+/g
// The second part starts at the first dot of a run, so that the time is linear.
const DOTS = /(?<=\w)\.+|(?<!\.)\.+(?=\w)/g

/** The words of a text, as `match` compares them. */
export function wordsIn(text: string): readonly string[] {
  return withoutEdgeDots(text).match(WORDS) ?? []
}

/** The terms of a pattern of `match`: words in which `*` stands for any text. */
export function termsIn(pattern: string): readonly string[] {
  return withoutEdgeDots(pattern).match(TERMS) ?? []
}

/** Terms for which a text is searched as a whole. Others are long, or have stars inside or dots, which stand for any character. */
const PLAIN = /^[\p{L}\p{N}_]{1,32}\*?$/u

/** Finds each word of a text {@link withoutEdgeDots} that matches a term; undefined if each word has to be compared. */
export function searchFor(term: string): RegExp | undefined {
  if (!PLAIN.test(term)) return undefined
  const start = term.replace('*', '')
  const end = term.endsWith('*') ? '' : `(?!${NO_SEPARATOR})`
  // First the text itself, which V8 finds fastest.
  return new RegExp(`${start}(?<!${NO_SEPARATOR}${start})${end}`, 'gi')
}

/** Removes runs of dots before or after a character of a word. */
export function withoutEdgeDots(text: string): string {
  return text.includes('.') ? text.replace(DOTS, '') : text
}
