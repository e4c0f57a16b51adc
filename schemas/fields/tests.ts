import {defineArrayMember, defineField} from '@sanity/types'
import {isRecord} from '../rules/json.ts'
import {type ExpectationKind, fieldsOf, parseTests, SIGNED_OUT} from '../rules/tests/toolTests.ts'
import {describeTest, KIND_TITLES} from '../rules/tests/words.ts'
import {keeps} from '../validation.ts'
import {entry, line, lines, list} from './shared.ts'

/** Whether an expectation that an editor writes has no use for a field. */
function hasNo(field: 'member' | 'value') {
  return ({parent}: {parent?: unknown}) => {
    const kind = isRecord(parent) ? parent.kind : undefined
    return !fieldsOf(kind).some((name) => name.startsWith(field))
  }
}

const EXPECTATION = defineArrayMember({
  name: 'expectation',
  type: 'object',
  title: 'Expectation',
  fields: [
    defineField({
      name: 'kind',
      type: 'string',
      title: 'What',
      options: {
        list: Object.entries<string>(KIND_TITLES).map(([value, title]) => ({value, title})),
      },
      initialValue: 'succeeds' satisfies ExpectationKind,
      validation: (rule) => rule.required(),
    }),
    line(
      'member',
      'Part of the result',
      'Such as "title", "products" or "products[0].name": the name of the first product. Leave this empty for the whole result.',
      {hidden: hasNo('member')},
    ),
    line('value', 'Value', 'The text, the number, or the address of the page.', {hidden: hasNo('value')}),
  ],
  preview: {
    select: {kind: 'kind', member: 'member', value: 'value'},
    prepare: ({kind, member, value}) => ({
      title: Object.entries<string>(KIND_TITLES).find(([known]) => known === kind)?.[1] ?? 'Choose what',
      subtitle: [member, value].filter(Boolean).join(': '),
    }),
  },
})

const ARGUMENT = entry(
  'argument',
  'Argument',
  [
    line('name', 'Parameter', 'The name of the parameter, such as "query".', {
      validation: (rule) => rule.required(),
    }),
    lines(
      'value',
      'Value',
      2,
      'As a person would type it: rope, 20, true. A list has one entry in each line.',
    ),
  ],
  {select: {title: 'name', subtitle: 'value'}},
)

/** The tests of a tool or form tool. */
export const testsField = defineField({
  name: 'tests',
  type: 'array',
  title: 'Tests',
  group: 'tests',
  description:
    'Calls that show whether the tool works on your website, and what they should return. Pages never get them. The tab “Tests” of a page with drafts runs them, and your developers can run all of them before each release.',
  of: [
    defineArrayMember({
      name: 'test',
      type: 'object',
      title: 'Test',
      fields: [
        line('title', 'Title', 'What the test shows, such as "Finds ropes".', {
          validation: (rule) => rule.required(),
        }),
        line('page', 'Page', 'The page on which the tool is called, such as "/products".', {
          validation: (rule) => rule.required(),
        }),
        line(
          'visitor',
          'Visitor',
          `Who opens the page, if that matters: "${SIGNED_OUT}", or a word that your developers know, such as "manager".`,
        ),
        list('arguments', 'Arguments', ARGUMENT, 'What an agent passes to the tool.'),
        list(
          'expect',
          'Expected',
          EXPECTATION,
          'All of this must be true. Leave it empty if the call only has to succeed.',
        ),
        lines(
          'prompt',
          'Prompt',
          2,
          'What a person would ask an agent for, such as "Do you have ropes?". Only for evaluations with a model; leave it empty otherwise.',
        ),
      ],
      preview: {
        select: {title: 'title', page: 'page', visitor: 'visitor', given: 'arguments', expect: 'expect'},
        prepare: ({title, page, visitor, given, expect}) => {
          const parsed = parseTests([{title: title ?? '', page, visitor, arguments: given, expect}])
          const [test] = parsed.ok ? parsed.value : []
          return {title: title ?? 'New test', subtitle: test === undefined ? page : describeTest(test)}
        },
      },
    }),
  ],
  validation: (rule) => rule.custom(keeps(parseTests)),
})
