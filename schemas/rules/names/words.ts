/**
 * Splits a name into words, as written:
 * `getURLInfo` → `get URL Info`, `check_out` → `check out`, `orders.search` → `orders search`.
 *
 * An acronym is one word, including digits and the plural `s` (`MP3`, `B2B`, `IDs`); a number is a word,
 * including its letters (`2nd`, `3D`).
 */
export function wordsOf(name: string): string[] {
  return name.match(WORD) ?? []
}

const WORD = new RegExp(
  [
    /\p{Lu}{2,}\d*s(?!\p{Ll})/u, // URLs, IDs
    /\p{Lu}+\d+(?:\p{Lu}+(?!\p{Ll}))?(?!\p{Ll})/u, // MP3, V2, B2B
    /\p{Lu}+(?!\p{Ll})/u, // URL, and the A of getAPage
    /\p{Lu}?[\p{Ll}\p{Lo}]+/u, // Info, info
    /\d+(?:\p{Ll}+|\p{Lu}+(?!\p{Ll}))?/u, // 10, 2nd, 3D
  ]
    .map((part) => part.source)
    .join('|'),
  'gu',
)
