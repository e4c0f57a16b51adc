import {form, type Row, schemaOf} from './row.ts'

const CITY = {type: 'string', description: 'The name of a city, such as "Kiel"'}

const QUERY = 'What to look for: one or more words, such as a part of a title'

const FETCH = `const response = await fetch(address + '?city=' + encodeURIComponent(args.city), {signal})
return response.json()`

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
    'a reading',
    {
      executeJs: undefined,
      action: 'reading',
      reading: {parts: [{name: 'hours', selector: 'table', kind: 'table'}]},
      inputSchema: schemaOf({}),
    },
    {harmless: 'it is a good one'},
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
  ['an address of this computer', request({address: 'http://localhost:3000/stores'}), 'ADDRESS_WRONG'],
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
  ['a form tool', form({}), {harmless: 'it has no action'}],
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
    'a key in the body',
    request(
      {
        method: 'POST',
        body: [{name: 'auth.key', value: 'AKIAABCDEFGHIJKLMNOP'}],
      },
      {name: 'saveStore'},
    ),
    'SECRET',
  ],
  ...['pwd', 'pass', 'user[password]', 'password_confirmation', 'newPassword'].map(
    (name): Row => [
      `a password as the fixed value of ${name}`,
      request({method: 'POST', encoding: 'form', body: [{name, value: 'hunter2'}]}, {name: 'saveStore'}),
      'SECRET',
    ],
  ),
  ['a token in the address', request({address: '/api/stores?token=eyJhbGciOi1.e30'}), 'SECRET'],
  [
    'a word as a fixed value',
    request({
      query: [
        {name: 'city', parameter: 'city'},
        {name: 'token_type', value: 'store'},
      ],
    }),
    {harmless: 'it is no secret'},
  ],
  [
    'the website for tests',
    request({address: 'https://staging.library.example/api/stores'}),
    'HOST_FOR_TESTS',
  ],
  // Recipes
  [
    'the place of the recipe in the answer',
    request({result: {kind: 'list', path: 'yourResults', members: [{path: 'address'}]}}),
    'RECIPE_UNCHANGED',
  ],
  ['the address of the recipe', request({address: '/api/your-search'}), 'RECIPE_UNCHANGED'],
  [
    'the page of the recipe',
    {
      executeJs: undefined,
      action: 'link',
      link: {address: '/your-results/{id}'},
      name: 'openStore',
      inputSchema: schemaOf({id: CITY}, {required: ['id']}),
    },
    'RECIPE_UNCHANGED',
  ],
  [
    'the description of the recipe',
    request(
      {},
      {description: 'Searches this website by words. Returns the ID, title and address of up to 10 results.'},
    ),
    'RECIPE_UNCHANGED',
  ],
  [
    'the text of a parameter of the recipe',
    request({}, {inputSchema: schemaOf({city: {type: 'string', description: QUERY}})}),
    'RECIPE_UNCHANGED',
  ],
  [
    'the selector of the recipe in one of two parts',
    {
      executeJs: undefined,
      action: 'reading',
      reading: {
        parts: [
          {name: 'hours', selector: 'table', kind: 'table'},
          {name: 'list', selector: 'ul#your-list', kind: 'list'},
        ],
      },
      inputSchema: schemaOf({}),
    },
    'RECIPE_UNCHANGED',
  ],
  ['the form of the recipe', form({selector: 'form#your-form'}), 'RECIPE_UNCHANGED'],
  [
    'the first lines of the recipe with another address',
    {
      executeJs: `// Change this address to that of your own cart.\nconst address = '/api/stores'\n\n${FETCH}`,
    },
    {harmless: 'it was changed'},
  ],
  [
    'the first lines of the recipe',
    {
      executeJs: `// Change this address to that of your own cart.\nconst address = '/api/your-cart'\n\n${FETCH}`,
    },
    'RECIPE_UNCHANGED',
  ],
]
