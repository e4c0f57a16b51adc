import {type Row, schemaOf} from './row.ts'

const CITY = {type: 'string', description: 'The name of a city, such as "Kiel"'}

/** A tool that sends a request instead of running a script. */
function request(change: object, more: object = {}) {
  const sent = {
    address: '/api/stores',
    query: [{name: 'city', parameter: 'city'}],
    result: {kind: 'list', path: 'stores', members: [{path: 'address'}]},
    ...change,
  }
  return {executeJs: undefined, action: 'request', request: sent, ...more}
}

/** Mistakes in tools without a script. */
export const ACTIONS: readonly Row[] = [
  ['a request', request({}), {harmless: 'it is a good one'}],
  [
    'a request to the own server with POST that only reads',
    request({
      method: 'POST',
      query: [],
      body: [
        {name: 'query', value: '{ stores { address } }'},
        {name: 'variables.city', parameter: 'city'},
      ],
    }),
    {harmless: 'GraphQL reads with POST'},
  ],
  [
    'a page of another website',
    {
      executeJs: undefined,
      action: 'link',
      link: {address: 'https://maps.example.com/?q={city}'},
      name: 'openMap',
    },
    {harmless: 'pages may be anywhere'},
  ],
  ['an address with http', request({address: 'http://api.example.com/stores'}), 'ADDRESS_WRONG'],
  [
    'an address of another website',
    request({address: 'https://api.example.com/stores'}),
    'ADDRESS_OTHER_ORIGIN',
  ],
  ['a parameter that a request does not send', request({query: []}), 'PARAMETER_UNREAD'],
  [
    'a parameter that a reading cannot use',
    {
      executeJs: undefined,
      action: 'reading',
      reading: {parts: [{name: 'hours', selector: 'table', kind: 'table'}]},
    },
    'PARAMETER_UNREAD',
  ],
  ['a fixed text of what is read', request({result: {kind: 'message', message: 'Done.'}}), 'RESULT_FIXED'],
  ['a script besides the request', request({}, {executeJs: 'return 1'}), 'ACTION_IGNORED'],
  ['a page besides the request', request({}, {link: {address: '/stores'}}), 'ACTION_IGNORED'],
  [
    'a request that sends, in a tool that reads',
    request({method: 'PUT'}, {annotations: {readOnlyHint: 'true'}}),
    'HINT_CONTRADICTS_SCRIPT',
  ],
  ['a request in a tool with an unclear name', request({}, {name: 'stores'}), 'READ_ONLY_UNSET'],
  [
    'a parameter that was renamed in the table only',
    request({}, {inputSchema: schemaOf({town: CITY})}),
    {refused: 'request.query.0.parameter', message: /no parameter “city”\. It has “town”/},
  ],
  [
    'cURL in the address',
    request({address: "curl 'https://api.example.com/stores'"}),
    {refused: 'request.address', message: /must begin with “\/” or “https:\/\/”/},
  ],
  // What every visitor can read
  [
    'a key as a fixed value',
    request({
      query: [
        {name: 'city', parameter: 'city'},
        {name: 'api_key', value: 'k3y9f8a7b6c5d4e3'},
      ],
    }),
    'SECRET',
  ],
  ['a key in the address', request({address: '/api/stores?access_token=k3y9f8a7b6c5d4e3'}), 'SECRET'],
  [
    'a password as a fixed value',
    request({method: 'POST', encoding: 'form', body: [{name: 'pwd', value: 'hunter2'}]}, {name: 'saveStore'}),
    'SECRET',
  ],
  // Recipes
  [
    'the description of the recipe',
    request(
      {},
      {description: 'Searches this website by words. Returns the ID, title and address of up to 10 results.'},
    ),
    'RECIPE_UNCHANGED',
  ],
]
