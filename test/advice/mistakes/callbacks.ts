import {type Row, schemaOf} from './row.ts'

const EVENTS = `const response = await fetch('/api/events?branch=' + args.branch, {signal})
const {events} = await response.json()
`
const inputSchema = schemaOf(
  {branch: {type: 'string', description: 'The branch, such as "Harbour"'}},
  {required: ['branch']},
)

/** A tool that reads a list and returns what this expression makes of it. */
const returning = (result: string) => ({inputSchema, executeJs: `${EVENTS}return ${result}`})
const running = (executeJs: string) => ({inputSchema, executeJs})
const fetching = (call: string) => running(`const response = await ${call}\nreturn response.json()`)

/** Mistakes in requests, callbacks and results of people who program a little. */
export const CALLBACKS: readonly Row[] = [
  // Addresses
  ['an address without its slash', fetching("fetch('api/' + args.branch, {signal})"), 'ADDRESS_WRONG'],
  ['a template without its slash', fetching(`fetch(\`events/\${args.branch}\`, {signal})`), 'ADDRESS_WRONG'],
  [
    'an address without its slash in a variable',
    running(
      `const address = 'api/events'\nconst response = await fetch(address + args.branch, {signal})\nreturn response.json()`,
    ),
    'ADDRESS_WRONG',
  ],
  ['a query of this page', fetching("fetch('?branch=' + args.branch, {signal})"), {harmless: 'it is meant'}],
  [
    'a data address',
    fetching("fetch('data:application/json,' + args.branch, {signal})"),
    {harmless: 'it is complete'},
  ],
  [
    'the website for tests',
    fetching("fetch('https://staging.library.example/api/events?b=' + args.branch, {signal})"),
    'HOST_FOR_TESTS',
  ],
  [
    'a host that contains the word',
    fetching("fetch('https://contest.example/events?b=' + args.branch, {signal})"),
    {harmless: 'it is another word'},
  ],
  // Requests
  ['signal alone', fetching("fetch('/api/events?b=' + args.branch, signal)"), 'FETCH_WITHOUT_SIGNAL'],
  // Results
  [
    'an error returned',
    running(`try { return JSON.parse(args.branch) } catch (error) { return error }`),
    'ERROR_RETURNED',
  ],
  [
    'an error as result of a promise',
    returning('await customElements.whenDefined(events[0]).catch((reason) => reason)'),
    'ERROR_RETURNED',
  ],
  [
    'the message of an error',
    running('try { return JSON.parse(args.branch) } catch (error) { return {problem: error.message} }'),
    {harmless: 'it is text'},
  ],
  [
    'an error in a promise without one',
    returning('await customElements.whenDefined(events[0]).catch(() => undefined) ?? 1'),
    {harmless: 'it is left out'},
  ],
  [
    'the key of a session',
    returning("{branch: events[0], key: localStorage.getItem('sessionId')}"),
    'RESULT_PRIVATE',
  ],
  [
    'a token in a variable',
    running('const token = sessionStorage.authToken\nreturn args.branch ? token : undefined ?? token'),
    {harmless: 'it is only known where it is returned'},
  ],
  [
    'a stored token',
    running(
      'const {branch} = args\nif (!branch) return 1\nconst token = sessionStorage.authToken\nreturn token',
    ),
    'RESULT_PRIVATE',
  ],
  [
    'an error in an object',
    running(`try {\n${EVENTS}return events\n} catch (error) {\n  return {ok: false, error}\n}`),
    'ERROR_RETURNED',
  ],
  [
    'all cookies within a text',
    running(`if (!args.branch) return 1\nreturn \`Cookies: \${document.cookie}\``),
    'RESULT_PRIVATE',
  ],
  ['all cookies', running('if (!args.branch) return 1\nreturn document.cookie'), 'RESULT_PRIVATE'],
  [
    'the whole storage',
    running('if (!args.branch) return 1\nreturn {...args, all: localStorage}'),
    'RESULT_PRIVATE',
  ],
  [
    'a stored cart',
    returning("JSON.parse(localStorage.getItem('cart') ?? '[]')"),
    {harmless: 'it is what the visitor put there'},
  ],
  // Fields
  ['a pattern for one level', {pathPattern: '/*'}, 'PATH_ONE_LEVEL'],
  ['a pattern for one level below', {pathPattern: '/events/*'}, {harmless: 'lists often have such pages'}],
  ['the title of another tool', {title: 'Show today’s dishes'}, 'TITLE_SAME'],
  [
    'choices with semicolons',
    {
      inputSchema: schemaOf({
        city: {type: 'string', description: 'A city, such as Kiel', enum: ['Kiel; Lund; Oslo']},
      }),
    },
    'CHOICES_FEW',
  ],
]
