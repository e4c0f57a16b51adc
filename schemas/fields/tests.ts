import {
  choice,
  entry,
  field,
  line,
  lines,
  list,
  onlyFor,
  parseMembers,
  ruled,
  type ValuesOf,
} from '../field.ts'
import {accept, type Parsed, parseEach, parseOptional, refuse} from '../rules/parsed.ts'
import {parsePage} from '../rules/paths/page.ts'
import {
  type Expectation,
  type ExpectationKind,
  fieldsOf,
  KINDS,
  LONGEST_VALUE,
  parseExpectation,
} from '../rules/tests/toolTests.ts'
import {describeExpectation, KIND_TITLES} from '../rules/tests/words.ts'
import {parseText, shortened, shown} from '../rules/text.ts'

/** Counts only for the kinds that use it. */
function onlyWhereUsed(member: 'member' | 'value') {
  return onlyFor(
    ...Object.keys(KINDS).filter((kind) => fieldsOf(kind).some((name) => name.startsWith(member))),
  )
}

const expectation = entry(
  'expectation',
  'Expectation',
  [
    choice('kind', 'What', KIND_TITLES, {
      isRequired: true,
      form: {initialValue: 'succeeds' satisfies ExpectationKind},
    }),
    line(
      'member',
      'Part of the result',
      'Such as "title", "products" or "products[0].name": the name of the first product. Leave this empty for the whole result.',
      onlyWhereUsed('member'),
    ),
    line('value', 'Value', 'The text, the number, or the address of the page.', onlyWhereUsed('value')),
  ],
  {
    select: {kind: 'kind', member: 'member', value: 'value'},
    prepare: ({kind, member, value}: Record<string, unknown>) => ({
      title: Object.entries<string>(KIND_TITLES).find(([known]) => known === kind)?.[1] ?? 'Choose what',
      subtitle: [member, value].filter(Boolean).join(': '),
    }),
  },
)

/** Rows of a test. */
const MAX_ROWS = 30

const ARGUMENT = [
  ruled(
    line('name', 'Parameter', 'The name of the parameter, such as "query".', {
      isRequired: true,
      names: 'parameter',
      schema: {maxLength: 200},
    }),
    (value, of) => parseText(value, `The name of an argument ${of}`, 200),
  ),
  ruled(
    lines(
      'value',
      'Value',
      2,
      'As a person would type it: rope, 20, true. A list has one entry in each line.',
      {schema: {maxLength: LONGEST_VALUE}},
    ),
    // An empty text is a value to test with.
    (value, of) =>
      typeof (value ?? '') === 'string' && String(value ?? '').length <= LONGEST_VALUE
        ? accept(String(value ?? ''))
        : refuse(`The value of ${of} must be text of at most 5,000 characters.`),
  ),
] as const

/** An argument as an editor typed it. Its kind is that of the parameter. */
export type TestArgument = ValuesOf<typeof ARGUMENT>

/** The visitor without cookies and storage. */
export const SIGNED_OUT = 'signed-out'
const VISITOR = '^[A-Za-z0-9_-]{1,40}$'

const MEMBERS = [
  ruled(
    line('title', 'Title', 'What the test shows, such as "Finds ropes".', {
      isRequired: true,
      schema: {maxLength: 200},
    }),
    (value, of) => parseText(value, `The title of ${of}`, 200),
  ),
  ruled(
    line('page', 'Page', 'The page on which the tool is called, such as "/products".', {
      isRequired: true,
      schema: {maxLength: 2_000},
    }),
    (value, of) => {
      const typed = parseText(value, `The page ${of}`, 2_000)
      if (!typed.ok) return typed
      const page = parsePage(typed.value)
      return page.ok
        ? accept(page.value.path + page.value.query)
        : refuse(`The page ${of} cannot be read: ${page.problem}`)
    },
  ),
  ruled(
    line(
      'visitor',
      'Visitor',
      `Who opens the page, if that matters: "${SIGNED_OUT}", or a word that your developers know, such as "manager".`,
      {schema: {pattern: VISITOR}},
    ),
    (value, of) =>
      parseOptional(value, (word) =>
        typeof word === 'string' && new RegExp(VISITOR).test(word)
          ? accept(word)
          : refuse(`The visitor ${of} must be one word of letters, digits, “-” and “_”.`),
      ),
  ),
  ruled(
    list(
      'arguments',
      'Arguments',
      entry('argument', 'Argument', ARGUMENT, {select: {title: 'name', subtitle: 'value'}}),
      'What an agent passes to the tool.',
      {schema: {maxItems: MAX_ROWS}},
    ),
    (value, of): Parsed<readonly TestArgument[]> => {
      const missing = `An argument ${of} must be an object with a name and a value.`
      const parse = (row: unknown) =>
        parseMembers(ARGUMENT, row, {missing, of, label: (name) => `“${name}” ${of}`})
      return parseEach(value, `The arguments ${of}`, MAX_ROWS, parse, ({name}) => name)
    },
  ),
  ruled(
    list(
      'expect',
      'Expected',
      expectation,
      'All of this must be true. Leave it empty if the call only has to succeed.',
      {schema: {maxItems: MAX_ROWS}},
    ),
    (value, of): Parsed<readonly Expectation[]> =>
      parseEach(value, `What is expected ${of}`, MAX_ROWS, (row) => parseExpectation(row, of)),
  ),
  ruled(
    lines(
      'prompt',
      'Prompt',
      2,
      'What a person would ask an agent for, such as "Do you have ropes?". Only for evaluations with a model; leave it empty otherwise.',
      {schema: {pattern: '\\S', maxLength: 2_000}},
    ),
    (value, of) => parseOptional(value, (text) => parseText(text, `The prompt ${of}`, 2_000)),
  ),
] as const

/** A call of a tool on a page, and what is expected of it: all of that, or that the call succeeds. */
export type ToolTest = ValuesOf<typeof MEMBERS>

/** Tests that a tool has at most. */
export const MAX_TESTS = 50

/** The tests of a tool or form tool. They are never sent to pages, and a broken one does not remove its tool. */
export function parseTests(value: unknown): Parsed<ToolTest[]> {
  const parse = (test: unknown, number: number) =>
    parseMembers(MEMBERS, test, {
      missing: `Test ${number} must be an object with a title and a page.`,
      of: `test ${number}`,
      label: (title) => `of the test “${title}”`,
    })
  return parseEach(value, 'The tests', MAX_TESTS, parse, ({title}) => title)
}

/** A test in one line, such as `/products, query “rope”: “products” has at least 1 entry`. */
export function describeTest({page, visitor, arguments: given, expect}: ToolTest): string {
  const place = visitor === undefined ? page : `${page} as ${visitor}`
  const typed = given.map(({name, value}) => `${name} ${shown(value)}`)
  const wanted = expect.length === 0 ? ['the call succeeds'] : expect.map(describeExpectation)
  return shortened(`${[place, ...typed].join(', ')}: ${wanted.join('; ')}`, 500)
}

const toolTest = entry('test', 'Test', MEMBERS, {
  select: {title: 'title', page: 'page', visitor: 'visitor', given: 'arguments', expect: 'expect'},
  prepare: ({title, page, visitor, given, expect}: Record<string, unknown>) => {
    const parsed = parseTests([{title: title ?? '', page, visitor, arguments: given, expect}])
    const [test] = parsed.ok ? parsed.value : []
    return {title: title ?? 'New test', subtitle: test === undefined ? page : describeTest(test)}
  },
})

/** The tests of a tool or form tool. */
export const tests = field({
  name: 'tests',
  type: 'array',
  title: 'Tests',
  description:
    'Calls that show whether the tool works on your website, and what they should return. Pages never get them. The tab “Tests” of a page with drafts runs them, and your developers can run all of them before each release.',
  entry: toolTest,
  schema: {maxItems: MAX_TESTS},
  beyond: ['pages', 'patterns', 'duplicates'],
  form: {group: 'tests'},
  parse: parseTests,
  rows: (tests) =>
    tests.map((test) => ({
      title: 'Test',
      part: test.title,
      text: describeTest(test) + (test.prompt === undefined ? '' : `. Prompt: ${test.prompt}`),
    })),
})
