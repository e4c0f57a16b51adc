const TAG =
  /<!--[^<>]*-->|<\/?(?:a|b|blockquote|br|code|div|details|em|h[1-6]|hr|i|img|kbd|li|ol|p|pre|small|span|strong|su[bp]|summary|t(?:able|body|[dhr]|head)|u|ul)\b[^<>]*>/gi

const TABLE = /<(table|style|script)\b[^<>]*>(?:[^<]|<(?!\/\1\b))*<\/\1\s*>/gi

const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
}

/** A description without HTML, which CommonMark allows: https://spec.openapis.org/oas/v3.1.1.html#rich-text-formatting */
export function plainText(text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text
  return text
    .slice(0, MAX_LENGTH)
    .replace(TABLE, ' ')
    .replace(TAG, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (found, name: string) => CHARACTERS[name] ?? found)
    .replace(/ +(?=[.,;:)])/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** More is cut anyway. */
const MAX_LENGTH = 5_000
