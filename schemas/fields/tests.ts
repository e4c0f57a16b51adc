import {choice, entry, field, line, lines, list, onlyFor} from '../field.ts'
import {
  type ExpectationKind,
  fieldsOf,
  KINDS,
  MAX_TESTS,
  parseTests,
  SIGNED_OUT,
} from '../rules/tests/toolTests.ts'
import {describeTest, KIND_TITLES} from '../rules/tests/words.ts'

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

const argument = entry(
  'argument',
  'Argument',
  [
    line('name', 'Parameter', 'The name of the parameter, such as "query".', {
      isRequired: true,
      schema: {maxLength: 200},
    }),
    lines(
      'value',
      'Value',
      2,
      'As a person would type it: rope, 20, true. A list has one entry in each line.',
      {schema: {maxLength: 5_000}},
    ),
  ],
  {select: {title: 'name', subtitle: 'value'}},
)

const toolTest = entry(
  'test',
  'Test',
  [
    line('title', 'Title', 'What the test shows, such as "Finds ropes".', {
      isRequired: true,
      schema: {maxLength: 200},
    }),
    line('page', 'Page', 'The page on which the tool is called, such as "/products".', {
      isRequired: true,
      schema: {maxLength: 2_000},
    }),
    line(
      'visitor',
      'Visitor',
      `Who opens the page, if that matters: "${SIGNED_OUT}", or a word that your developers know, such as "manager".`,
      {schema: {pattern: '^[A-Za-z0-9_-]{1,40}$'}},
    ),
    list('arguments', 'Arguments', argument, 'What an agent passes to the tool.', {schema: {maxItems: 30}}),
    list(
      'expect',
      'Expected',
      expectation,
      'All of this must be true. Leave it empty if the call only has to succeed.',
      {schema: {maxItems: 30}},
    ),
    lines(
      'prompt',
      'Prompt',
      2,
      'What a person would ask an agent for, such as "Do you have ropes?". Only for evaluations with a model; leave it empty otherwise.',
      {schema: {pattern: '\\S', maxLength: 2_000}},
    ),
  ],
  {
    select: {title: 'title', page: 'page', visitor: 'visitor', given: 'arguments', expect: 'expect'},
    prepare: ({title, page, visitor, given, expect}: Record<string, unknown>) => {
      const parsed = parseTests([{title: title ?? '', page, visitor, arguments: given, expect}])
      const [test] = parsed.ok ? parsed.value : []
      return {title: title ?? 'New test', subtitle: test === undefined ? page : describeTest(test)}
    },
  },
)

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
