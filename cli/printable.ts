/** Control characters could move the cursor, hide text, or begin a section of a log. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text of a repository or a website as one line for a terminal or a log, without commands of a CI system. */
export function printable(text: string): string {
  return withoutCommands(text.replace(HIDDEN, (character) => `\\u{${hexOf(character)}}`))
}

/**
 * Lines of a log in which a CI system finds no command. GitHub and Azure obey `##[name]` and `##vso[name]`, TeamCity
 * `##teamcity[name]`, anywhere in a line, and GitHub `::name::` after the spaces at the beginning of a line.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function withoutCommands(lines: string): string {
  return lines.replace(/#(?=#[\w.-]*\[)/g, '\\u{23}').replace(/^(\s*):(?=:)/gm, '$1\\u{3a}')
}

/** A value as JSON for a log: it has the same value, and what {@link printable} shows as a code is an escape. */
export function printableJson(value: unknown): string {
  const escaped = (text: string) =>
    Array.from({length: text.length}, (_, at) => `\\u${hexOf(text.charAt(at)).padStart(4, '0')}`).join('')
  const json = JSON.stringify(value, null, 2).replace(HIDDEN, (found) =>
    found === '\n' ? found : escaped(found),
  )
  return `${json.replace(/#(?=#[\w.-]*\[)/g, escaped)}\n`
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
