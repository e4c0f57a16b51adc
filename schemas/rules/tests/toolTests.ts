import {isRecord} from '../../record.ts'
import {plainStepsOf} from '../names/memberPath.ts'
import {accept, type Parsed, parseEach, refuse} from '../parsed.ts'
import {parsePage} from '../paths/page.ts'
import {parseText} from '../text.ts'

/** What a test can expect, with the fields that each kind has. A question mark: it may be empty. */
export const KINDS = {
  succeeds: [],
  fails: ['value?'],
  exists: ['member'],
  equals: ['member?', 'value'],
  contains: ['member?', 'value'],
  matches: ['member?', 'value'],
  atLeast: ['member?', 'value'],
  outputSchema: [],
  asksVisitor: [],
  goesTo: ['value'],
} as const satisfies Record<string, readonly ('member' | 'value' | 'member?' | 'value?')[]>

export type ExpectationKind = keyof typeof KINDS

/** The fields of a kind; none for what is not a kind. */
export function fieldsOf(kind: unknown): readonly string[] {
  return isKind(kind) ? KINDS[kind] : []
}

/** One thing that a test expects of a call. `member` is empty for the whole result. */
export type Expectation = {readonly kind: ExpectationKind; readonly member: string; readonly value: string}

/** An argument as an editor typed it. Its kind is that of the parameter. */
export type TestArgument = {readonly name: string; readonly value: string}

/** A call of a tool on a page, and what is expected of it. */
export type ToolTest = {
  readonly title: string
  /** The path of the page, with its query. */
  readonly page: string
  /** The name of the visitor who opens it, such as "manager". Undefined: it does not matter who. */
  readonly visitor?: string
  readonly arguments: readonly TestArgument[]
  /** All of them must hold. Empty: the call succeeds. */
  readonly expect: readonly Expectation[]
  /** What a person would ask an agent for, if the test is for evaluations of models, too. */
  readonly prompt?: string
}

/** Tests that a tool has at most. */
export const MAX_TESTS = 50
const MAX_ROWS = 30
const LONGEST_VALUE = 5_000

/** The visitor without cookies and storage. */
export const SIGNED_OUT = 'signed-out'
const VISITOR = /^[\w-]{1,40}$/

/** The tests of a tool or form tool. They are never sent to pages, and a broken one does not remove its tool. */
export function parseTests(value: unknown): Parsed<ToolTest[]> {
  return parseEach(value, 'The tests', MAX_TESTS, parseTest, ({title}) => title)
}

function parseTest(value: unknown, number: number): Parsed<ToolTest> {
  if (!isRecord(value)) return refuse(`Test ${number} must be an object with a title and a page.`)
  const title = parseText(value.title, `The title of test ${number}`, 200)
  if (!title.ok) return title
  const what = `of the test “${title.value}”`
  const typed = parseText(value.page, `The page ${what}`, 2_000)
  if (!typed.ok) return typed
  const page = parsePage(typed.value)
  if (!page.ok) return refuse(`The page ${what} cannot be read: ${page.problem}`)
  const visitor = value.visitor ?? undefined
  if (visitor !== undefined && !(typeof visitor === 'string' && VISITOR.test(visitor)))
    return refuse(`The visitor ${what} must be one word of letters, digits, “-” and “_”.`)
  const parseGiven = (row: unknown) => parseArgument(row, what)
  const given = parseEach(value.arguments, `The arguments ${what}`, MAX_ROWS, parseGiven, ({name}) => name)
  if (!given.ok) return given
  const parseExpected = (row: unknown) => parseExpectation(row, what)
  const expect = parseEach(value.expect, `What is expected ${what}`, MAX_ROWS, parseExpected)
  if (!expect.ok) return expect
  const hasPrompt = value.prompt !== undefined && value.prompt !== null
  const prompt = hasPrompt ? parseText(value.prompt, `The prompt ${what}`, 2_000) : undefined
  if (prompt?.ok === false) return prompt
  return accept({
    title: title.value,
    page: page.value.path + page.value.query,
    ...(visitor !== undefined && {visitor}),
    arguments: given.value,
    expect: expect.value,
    ...(prompt && {prompt: prompt.value}),
  })
}

function parseArgument(row: unknown, what: string): Parsed<TestArgument> {
  if (!isRecord(row)) return refuse(`An argument ${what} must be an object with a name and a value.`)
  const name = parseText(row.name, `The name of an argument ${what}`, 200)
  if (!name.ok) return name
  // An empty text is a value to test with.
  const value = row.value ?? ''
  if (typeof value !== 'string' || value.length > LONGEST_VALUE)
    return refuse(`The value of “${name.value}” ${what} must be text of at most 5,000 characters.`)
  return accept({name: name.value, value})
}

function parseExpectation(row: unknown, what: string): Parsed<Expectation> {
  const given = isRecord(row) ? row : {}
  const {kind} = given
  if (!isKind(kind)) {
    const known = Object.keys(KINDS).join(', ')
    return refuse(`What is expected ${what} needs a "kind", one of ${known}.`)
  }
  const texts = {member: '', value: ''}
  for (const field of KINDS[kind]) {
    const name = field === 'member' || field === 'member?' ? 'member' : 'value'
    const label = `${name === 'member' ? 'The part of the result' : 'The value'} in “${kind}” ${what}`
    const text = given[name]
    if (field.endsWith('?') && (text === undefined || text === null || text === '')) continue
    const parsed = parseText(text, label, LONGEST_VALUE)
    if (!parsed.ok) return parsed
    texts[name] = parsed.value
  }
  const problem = problemWith(kind, texts)
  return problem === undefined
    ? accept({kind, ...texts})
    : refuse(`${problem.replace(/[.:]$/, '')} (${what}).`)
}

function isKind(value: unknown): value is ExpectationKind {
  return typeof value === 'string' && Object.hasOwn(KINDS, value)
}

function problemWith(
  kind: ExpectationKind,
  {member, value}: {member: string; value: string},
): string | undefined {
  if (member !== '' && plainStepsOf(member) === undefined)
    return `“${member}” does not name a part of a result: write it as in data[0].title`
  if (kind === 'atLeast' && !/^\d{1,9}$/.test(value)) return `“${value}” is not a whole number`
  if (kind === 'goesTo' && !parsePage(value).ok) return `“${value}” is not the address of a page`
  return kind === 'matches' ? problemOfPattern(value) : undefined
}

const TOKENS = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[)|]|[*+?]|\{\d+(?:,\d*)?\}|./gsu

/** Repetitions of a group that cannot take minutes, as in `(\d+\.){3}`. */
const FEW = 10

/** What is wrong with a regular expression that a test expects a result to match. */
function problemOfPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
  } catch {
    return `“${pattern}” is not a regular expression: check its brackets`
  }
  return repeatsWhatVaries(pattern)
    ? `“${pattern}” repeats a group in which something is repeated, optional or a choice: that can take minutes, so write it without the group`
    : undefined
}

/**
 * Whether a group of various lengths is repeated, as in `(a+)+`: the number of ways to match a text can double with
 * each of its characters.
 * @param pattern a regular expression with the flag `u`
 */
function repeatsWhatVaries(pattern: string): boolean {
  let group = {varies: false}
  const outer: (typeof group)[] = []
  let before = {isQuantifier: false, varies: false}
  for (const [token] of pattern.matchAll(TOKENS)) {
    const most = before.isQuantifier ? undefined : mostOf(token)
    if (most !== undefined) {
      if (most > FEW && before.varies) return true
      if (!/^\{\d+\}$/.test(token)) group.varies = true
    } else if (token === '|') group.varies = true
    else if (token.startsWith('(')) {
      outer.push(group)
      group = {varies: false}
    }
    before = {isQuantifier: most !== undefined, varies: token === ')' && group.varies}
    if (token === ')') {
      const {varies} = group
      group = outer.pop() ?? group
      group.varies ||= varies
    }
  }
  return false
}

/** How often a quantifier repeats at most; undefined for what is none. */
function mostOf(token: string): number | undefined {
  if (token === '?') return 1
  if (token === '*' || token === '+') return Number.POSITIVE_INFINITY
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? []
  if (least === undefined) return undefined
  return comma === '' ? Number(least) : Number(most || Number.POSITIVE_INFINITY)
}
