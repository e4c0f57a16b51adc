/** Shows characters that would hide what a script does, such as those that change the direction of text. */
export function visible(text: string): string {
  return text.replace(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}
