import {structuredPatch} from 'diff'
import type {SiteChange, ToolChange} from '../../advice/changes/compare.ts'
import type {MemberChange} from '../../advice/changes/members.ts'
import type {Reason} from '../../advice/diagnosis/reasons.ts'
import {nounOf} from '../../advice/diagnosis/titles.ts'
import {describeReason} from '../../advice/diagnosis/words.ts'
import {pagesFieldOf} from '../../schemas/documents.ts'
import {DECLARATIONS} from '../../schemas/index.ts'
import {visible} from '../../schemas/rules/text.ts'
import {withoutCommands} from '../printable.ts'

/** GitHub refuses comments of more than 65,536 characters. */
const MAX_LENGTH = 60_000
/** Of the diff of one script. */
const MAX_DIFF_LINES = 200
/** Of a text that is shown whole, such as a description. */
const MAX_TEXT = 600

const KINDS = {added: 'New', removed: 'Gone', changed: 'Changed'} as const
/** The changes as Markdown for the comment of a pull request. What is in the content is only shown as code. */
export function markdown(sites: readonly SiteChange[]): string {
  if (sites.length === 0) return 'Nothing changes for visitors.\n'
  const sections = sites.flatMap((site) => [headOf(site), ...site.tools.map(sectionOf)])
  let text = ''
  for (const [at, section] of sections.entries()) {
    if (text.length + section.length > MAX_LENGTH)
      return `${text}\n*Shortened: ${sections.length - at} more parts. \`content diff\` shows all of them.*\n`
    text += `${text === '' ? '' : '\n'}${section}`
  }
  return text
}

function headOf({name, before, after, settings, tools}: SiteChange): string {
  const count = (kind: ToolChange['kind']) => tools.filter((tool) => tool.kind === kind).length
  const counts = [`${count('added')} new`, `${count('removed')} gone`, `${count('changed')} changed`]
  const lines = [
    `### Site ${codeSpan(name)}`,
    ...stateOf(before, after),
    ...settings.flatMap(lineOf),
    ...(tools.length === 0 ? [] : [`Tools: ${counts.filter((text) => !text.startsWith('0')).join(', ')}.`]),
  ]
  return `${lines.join('\n\n')}\n`
}

function stateOf(before: SiteChange['before'], after: SiteChange['after']): string[] {
  if (after === undefined) return ['The site is gone: its pages offer no tools.']
  const [reason] = after
  if (before === undefined) return ['The site is new.', ...(reason ? [`**${off(reason)}**`] : [])]
  if (reason !== undefined)
    return JSON.stringify(before) === JSON.stringify(after) ? [off(reason)] : [`**${off(reason)}**`]
  return before.length > 0 ? ['**The site is on again: its pages offer its tools.**'] : []
}

function off(reason: Reason): string {
  return `The pages of the site offer no tools: ${because(reason, 'tool')}`
}

function because(reason: Reason, type: ToolChange['type']): string {
  // The reason may quote the content.
  return codeSpan(describeReason(reason, type))
}

function sectionOf(change: ToolChange): string {
  const {kind, type, name, pattern, reasons, members} = change
  const [reason] = reasons
  const head = `#### ${KINDS[kind]} ${nounOf(type)}: ${codeSpan(name)} on ${codeSpan(pattern)}`
  if (kind === 'removed') {
    const why = reason === undefined ? 'The document was deleted.' : because(reason, type)
    return `${head}\n\nNo longer offered: ${why}\n`
  }
  const shown = kind === 'added' ? members.filter(({field}) => !SHOWN_IN_HEAD.includes(field)) : members
  return `${[head, ...shown.flatMap(lineOf)].join('\n\n')}\n`
}

const SHOWN_IN_HEAD: readonly string[] = ['name', ...DECLARATIONS.map(({name}) => pagesFieldOf(name))]

/** The fields that are code. */
const SCRIPTS = DECLARATIONS.flatMap(({fields}) =>
  fields.flatMap(({name, file}) => (file === 'js' ? name : [])),
)

function lineOf({field, title, part, before, after}: MemberChange): string[] {
  const label = part === undefined ? `**${title}**` : `**${title} ${codeSpan(part)}**`
  if (SCRIPTS.includes(field)) return [`${label}:`, codeBlock(diffOf(before ?? '', after ?? ''), 'diff')]
  if (before === undefined) return [`${label}: ${shortened(after)}`]
  if (after === undefined) return [`${label}: gone, was ${shortened(before)}`]
  return [`${label}: ${shortened(before)} → ${shortened(after)}`]
}

function shortened(text = ''): string {
  return codeSpan(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
}

function diffOf(before: string, after: string): string {
  const {hunks} = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', {context: 3})
  const lines = hunks.flatMap(({oldStart, oldLines, newStart, newLines, lines}) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
  const rest = lines.length - MAX_DIFF_LINES
  return rest > 0 ? [...lines.slice(0, MAX_DIFF_LINES), `… ${rest} more lines`].join('\n') : lines.join('\n')
}

/** Longer lines are cut off, because a comment has a limit. */
const MAX_LINE = 400

/**
 * A text as a Markdown code span: it cannot contain markup, mention a person, or end the span.
 * https://spec.commonmark.org/0.31.2/#code-spans
 */
function codeSpan(text: string): string {
  const line = withoutCommands(visible(text.replace(/\s*[\r\n]+\s*/g, ' '))) || ' '
  const fence = '`'.repeat(longestRun(line) + 1)
  const space = /^[` ]|[` ]$/.test(line) ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

/** A text as a fenced code block. */
function codeBlock(text: string, language: string): string {
  const lines = text.split(/\r\n|[\r\n]/).map((line) => withoutCommands(visible(line.slice(0, MAX_LINE))))
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return [`${fence}${language}`, ...lines, fence].join('\n')
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}
