import {type Fields, isRecord} from '../record.ts'
import {EACH, type MemberPath} from '../rules/names/memberPath.ts'
import {BrokenRule, checked, orBrokenRule} from '../rules/parsed.ts'
import {
  namedEntriesOf,
  parseLimit,
  parseMemberPath,
  parseName,
  parseOptionalText,
  parsePages,
} from './parts.ts'
import {parseParts} from './reading.ts'

/** What a request returns to the agent. */
export type Result = ReturnType<typeof parseResult>

/** A member of the answer that is returned, by a name of its own. */
export type Member = {readonly name: string; readonly path: MemberPath}

export const RESULT_KINDS = ['list', 'object', 'text', 'parts', 'message'] as const

/** Entries of a list, if the document does not say how many. */
const USUAL_LIMIT = 10

const MAX_MEMBERS = 50

/** @throws BrokenRule */
export function parseResult(value: unknown) {
  if (!isRecord(value)) throw new BrokenRule('request.result', 'Choose what the tool returns of the answer.')
  const kind = RESULT_KINDS.find((known) => known === value.kind)
  switch (kind) {
    case 'list': {
      const limit = checked('request.result.limit', parseLimit(value.limit, USUAL_LIMIT))
      return {kind, path: parsePath(value.path), members: parseMembers(value.members), limit}
    }
    case 'object':
      return {kind, path: parsePath(value.path), members: parseMembers(value.members)}
    case 'text':
      return {kind}
    // Read as those of the open page; of lists, those of at most so many pages.
    case 'parts':
      return {
        kind,
        parts: parseParts(value.parts, 'request.result.parts'),
        pages: checked('request.result.pages', parsePages(value.pages)),
      }
    case 'message': {
      const message = checked('request.result.message', parseOptionalText(value.message, 'The text', 1_000))
      return {kind, message: message ?? 'Done.'}
    }
    default:
      throw new BrokenRule(
        'request.result.kind',
        'Choose what the tool returns: a list, one thing, the text of the answer, parts of a page, or a text of yours.',
      )
  }
}

/** Whether what is returned as a list is in columns: all values of an entry are each of a list, such as `time[]`. */
export function isInColumns(result: Result): boolean {
  return (
    result.kind === 'list' &&
    result.members.length > 1 &&
    result.members.every(({path}) => path.at(-1) === EACH)
  )
}

/** The names of the members that each entry of a tool’s list has; none for other tools, and for what the rules refuse. */
export function listMembers({action, request}: Fields): readonly string[] {
  const {result}: {readonly result?: unknown} = isRecord(request) ? request : {}
  if (action !== 'request' || !isRecord(result) || result.kind !== 'list') return []
  const members = orBrokenRule(() => parseMembers(result.members))
  return members instanceof BrokenRule ? [] : members.map(({name}) => name)
}

function parsePath(value: unknown): MemberPath {
  const path = checked('request.result.path', parseMemberPath(value, 'The place in the answer'))
  if (path.at(-1) === EACH)
    throw new BrokenRule('request.result.path', 'Remove “[]” at the end: the tool returns each entry anyway.')
  return path
}

function parseMembers(value: unknown): Member[] {
  const field = 'request.result.members'
  return namedEntriesOf(value, field, 'The list of what is returned', MAX_MEMBERS, (entry, field) => {
    const path = checked(`${field}.path`, parseMemberPath(entry.path, 'The place of a value'))
    const last = path.findLast((step) => typeof step === 'string')
    const isNamed = entry.name !== undefined && entry.name !== null && entry.name !== ''
    const name = checked(`${field}.name`, parseName(isNamed ? entry.name : last, 'The name of a value'))
    return {name, path}
  })
}
