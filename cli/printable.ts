/**
 * Text of a repository as one line for a terminal or a log: control characters could move the cursor, hide text,
 * or start a command of a CI system.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}
