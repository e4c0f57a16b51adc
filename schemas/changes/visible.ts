import {replaceHidden} from '../rules/text.ts'

/** Shows characters that would hide what a script does, such as those that change the direction of text. */
export function visible(text: string): string {
  return replaceHidden(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
