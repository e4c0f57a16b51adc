import {isNothing} from '../schemas/calls/counts.ts'
import {parseTests, type TestArgument, type ToolTest} from '../schemas/fields/tests.ts'
import {isRecord, jsonIn} from '../schemas/record.ts'
import {formatMemberPath, type MemberPath} from '../schemas/rules/names/memberPath.ts'
import {isSecret} from '../schemas/rules/names/secrets.ts'
import {type Parsed, refuse} from '../schemas/rules/parsed.ts'
import type {Expectation} from '../schemas/rules/tests/toolTests.ts'
import {shortened, shown} from '../schemas/rules/text.ts'
import {argumentsOf} from './arguments.ts'
import {jsonOf, type Outcome} from './judge.ts'
import {dataOf} from './member.ts'

/** A call of a tool, from which a test is made. */
type KeptCall = {
  /** The page, with its query. */
  readonly page: string
  readonly arguments: unknown
  readonly outcome: Outcome
}

/** Characters of a result, or of the message of an error, that a test has at most. */
const LONGEST_VALUE = 120
const LONGEST_TITLE = 100

/**
 * Makes a test of a call, which expects what came back in general: a list has entries and a part of them is there, or the
 * call fails and says the same. Values of a result are in it only where nothing else can be expected.
 * @param parameters the input schema of the tool
 */
export function keepCall({page, arguments: given, outcome}: KeptCall, parameters: unknown): Parsed<ToolTest> {
  const typed = isRecord(given) ? typedArguments(given, parameters) : undefined
  if (typed === undefined)
    return refuse('A test has each argument as a person types it, which these arguments do not allow.')
  const secret = typed.find(({name, value}) => isSecret(name, value))?.name
  if (secret !== undefined)
    return refuse(`A test would keep “${secret}”, which looks like a password, a key or a card.`)
  if (outcome.kind === 'timeout') return refuse('The call did not end, so there is nothing to expect.')
  const values = typed.map(({name, value}) => `${name} ${shown(value)}`).join(', ')
  const title = shortened(values === '' ? 'Without arguments' : `With ${values}`, LONGEST_TITLE)
  const expect = outcome.kind === 'error' ? failsWith(outcome.message) : expectationsOf(outcome.value)
  const parsed = parseTests([{title, page: withoutSecrets(page), arguments: typed, expect}])
  const [test] = parsed.ok ? parsed.value : []
  return parsed.ok && test !== undefined ? {ok: true, value: test} : refuse(parsed.ok ? '' : parsed.problem)
}

/**
 * The arguments of a call as an editor types them. Undefined: they cannot be typed, such as a number for a text.
 */
function typedArguments(
  values: Readonly<Record<string, unknown>>,
  parameters: unknown,
): TestArgument[] | undefined {
  const passed = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  const given = Object.entries(passed).map(([name, value]) => ({name, value: typed(value)}))
  return canonical(argumentsOf(given, parameters)) === canonical(passed) ? given : undefined
}

/** A value as an editor types it. */
function typed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function canonical(values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A page without tokens and the like in its query. */
function withoutSecrets(page: string): string {
  const [path = '', query = ''] = page.split('?', 2)
  const params = [...new URLSearchParams(query)]
  const kept = params.filter(([name, value]) => !isSecret(name, value))
  if (kept.length === params.length) return page
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`
}

function failsWith(message: string): Expectation[] {
  return [{kind: 'fails', member: '', value: beginningOf(message)}]
}

/** The first line, or as much of it as a test has. */
function beginningOf(text: string): string {
  const [line = ''] = text.trim().split(/[\r\n]/)
  return shortened(line, LONGEST_VALUE).replace(/…$/, '').trim()
}

function expectationsOf(result: unknown): Expectation[] {
  const data = dataOf(jsonIn(jsonOf(result) ?? ''))
  const list = firstList(data, [])
  if (list !== undefined) return expectList(list)
  if (isRecord(data)) return isNothing(data) ? [FINDS_NOTHING] : expectMember(data)
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? '')
  if (data === undefined || data === null || text.trim() === '' || isSecret('', text)) return [SUCCEEDS]
  const beginning = beginningOf(text)
  return [{kind: beginning === text ? 'equals' : 'contains', member: '', value: beginning}]
}

const FINDS_NOTHING: Expectation = {kind: 'equals', member: 'found', value: '0'}

const SUCCEEDS: Expectation = {kind: 'succeeds', member: '', value: ''}

type List = {readonly path: MemberPath; readonly entries: readonly unknown[]}

/** How deep a list may be in a result. */
const DEEPEST = 3

/** The first list of a result, the outer ones before others. */
function firstList(data: unknown, path: MemberPath): List | undefined {
  if (Array.isArray(data)) return {path, entries: data}
  if (!isRecord(data) || path.length >= DEEPEST) return undefined
  const members = Object.entries(data).filter(([name]) => name !== '')
  const [direct] = members.filter(([, value]) => Array.isArray(value))
  if (direct !== undefined) return firstList(direct[1], [...path, direct[0]])
  for (const [name, value] of members) {
    const found = firstList(value, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}

function expectList({path, entries}: List): Expectation[] {
  const member = formatMemberPath(path)
  if (entries.length === 0) return [{kind: 'equals', member, value: '[]'}]
  const [first] = entries
  const names = isRecord(first) ? Object.keys(first) : []
  const name = names.find((one) => one !== '')
  return [
    {kind: 'atLeast', member, value: '1'},
    ...(name === undefined ? [] : [{...THERE, member: formatMemberPath([...path, 0, name])}]),
  ]
}

const THERE = {kind: 'exists', value: ''} as const

/** The first member must be there. */
function expectMember(data: Readonly<Record<string, unknown>>): Expectation[] {
  const name = Object.keys(data).find((one) => one !== '')
  return name === undefined ? [SUCCEEDS] : [{...THERE, member: formatMemberPath([name])}]
}

/** Whether one of the stored tests is the same call, and expects the same. */
export function hasTest(stored: readonly unknown[], test: ToolTest): boolean {
  return stored.some((one) => {
    const parsed = parseTests([one])
    return parsed.ok && parsed.value.some((known) => callOf(known) === callOf(test))
  })
}

function callOf({page, visitor, arguments: given, expect}: ToolTest): string {
  return JSON.stringify([page, visitor, given, expect])
}
