import {visible} from '../../schemas/rules/text.ts'
import {withoutCommands} from '../printable.ts'

/** Longer lines are cut off, because a comment has a limit. */
const MAX_LINE = 400

/**
 * A text as a Markdown code span: it cannot contain markup, mention a person, or end the span.
 * https://spec.commonmark.org/0.31.2/#code-spans
 */
export function codeSpan(text: string): string {
  const line = withoutCommands(visible(text.replace(/\s*[\r\n]+\s*/g, ' '))) || ' '
  const fence = '`'.repeat(longestRun(line) + 1)
  const space = /^[` ]|[` ]$/.test(line) ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

/** A text as a fenced code block. */
export function codeBlock(text: string, language: string): string {
  const lines = text.split(/\r\n|[\r\n]/).map((line) => withoutCommands(visible(line.slice(0, MAX_LINE))))
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return [`${fence}${language}`, ...lines, fence].join('\n')
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}
