import {labelOfRow} from '../../schemas/actions/describe.ts'
import {fieldTitle} from '../diagnosis/titles.ts'

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
export function labelOf(type: string, member: string): MemberLabel {
  const [field = '', part] = member.split(/\.(.*)/s)
  if (field === 'action' && part !== undefined) return labelOfRow(part)
  if (part === undefined) return {title: MEMBER_TITLES.get(field) ?? fieldTitle(type, field)}
  return {title: PART_TITLES.get(field) ?? fieldTitle(type, field), part}
}
