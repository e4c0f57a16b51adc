import {hiddenCharacters} from '../rules/text.ts'

/** Shows characters that would hide what a script does, such as those that change the direction of text. */
export function visible(text: string): string {
  let shown = ''
  let end = 0
  for (const {character, offset} of hiddenCharacters(text)) {
    shown += `${text.slice(end, offset)}\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
    end = offset + character.length
  }
  return shown + text.slice(end)
}
