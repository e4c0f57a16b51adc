import {labelOfRow} from '../actions/describe.ts'
import type {TitleOf} from '../diagnosis/words.ts'

/** What a member of {@link MemberChange} is called, and the part of it, such as the name of a parameter. */
type MemberLabel = {readonly title: string; readonly part?: string}

/** The titles of members that are not fields of a document. */
const MEMBER_TITLES: ReadonlyMap<string, string> = new Map([
  ['pattern', 'Pages'],
  ['annotations', 'Hints'],
  ['inputSchema', 'Parameters, as a whole'],
  ['outputSchema', 'Output, as a whole'],
])

const PART_TITLES: ReadonlyMap<string, string> = new Map([
  ['inputSchema', 'Parameter'],
  ['outputSchema', 'Result'],
  ['fields', 'Field'],
  ['tests', 'Test'],
])

/** The label of a member, such as `Parameter city`. */
export function labelOf(type: Parameters<TitleOf>[0], member: string, titleOf: TitleOf): MemberLabel {
  const [field = '', part] = member.split(/\.(.*)/s)
  if (field === 'action' && part !== undefined) return labelOfRow(part)
  if (part === undefined) return {title: MEMBER_TITLES.get(field) ?? titleOf(type, field)}
  return {title: PART_TITLES.get(field) ?? titleOf(type, field), part}
}
