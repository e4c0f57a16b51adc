import {type Finding, problem} from './finding.ts'
import type {Places} from './places.ts'

/** What to do about problems that the lake only names. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^larger than/, 'shorten the text'],
  [/^drafts and versions/, 'delete the file, because drafts are kept in Studio'],
  [/^not a JSON object/, 'begin with "{" and end with "}"'],
  [/^nested deeper/, 'make it flatter'],
]

/** A problem of the lake as a finding. */
export function notServed(
  code: 'DOCUMENT_NOT_SERVED' | 'TEXT_ORPHANED',
  {problem: text, path, line}: {readonly problem: string; readonly path: string; readonly line?: number},
  places?: Places,
): Finding {
  const [, field] = /^"(\w+)" is in this file/.exec(text) ?? []
  const at = line ?? (field === undefined ? undefined : places?.inJson(field).line)
  return problem(code, path, sentence(withRemedy(text)), at === undefined ? {} : {line: at})
}

function withRemedy(text: string): string {
  const [, remedy] = REMEDIES.find(([start]) => start.test(text)) ?? []
  return remedy === undefined ? text : `${text}: ${remedy}`
}

function sentence(clause: string): string {
  const text = clause.charAt(0).toUpperCase() + clause.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
