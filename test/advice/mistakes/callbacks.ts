import {type Row, schemaOf} from './row.ts'

const inputSchema = schemaOf(
  {branch: {type: 'string', description: 'The branch, such as "Harbour"'}},
  {required: ['branch']},
)

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
  // Fields
  ['a pattern for one level', {pathPattern: '/*'}, 'PATH_ONE_LEVEL'],
  ['a pattern for one level below', {pathPattern: '/events/*'}, {harmless: 'lists often have such pages'}],
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
