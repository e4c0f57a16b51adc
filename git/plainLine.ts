/**
 * Text as one line that is safe to print in a terminal: without control characters, without characters that
 * reorder text (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters), and with single
 * spaces.
 */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
}
