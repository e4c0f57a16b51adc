// groq-js splits texts into words at these characters.
const WORDS = /[^!@#$%^&*(),\\/?";:{}|[\]+<>\s-]+/g
const TERMS = /[^!@#$%^&(),\\/?";:{}|[\]+<>\s-]+/g
const DOTS = /\.+/g
const WORD_CHARACTER = /\w/

/** The words of a text, as `match` compares them. */
export function wordsIn(text: string): readonly string[] {
  return withoutEdgeDots(text).match(WORDS) ?? []
}

/** The terms of a pattern of `match`: words in which `*` stands for any text. */
export function termsIn(pattern: string): readonly string[] {
  return withoutEdgeDots(pattern).match(TERMS) ?? []
}

/** Removes runs of dots at the edge of a word. */
function withoutEdgeDots(text: string): string {
  if (!text.includes('.')) return text
  return text.replace(DOTS, (dots, at: number) =>
    WORD_CHARACTER.test(text[at - 1] ?? '') || WORD_CHARACTER.test(text[at + dots.length] ?? '') ? '' : dots,
  )
}
