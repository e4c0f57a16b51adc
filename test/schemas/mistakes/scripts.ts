import type {Row} from './row.ts'

const FETCH = "const response = await fetch('/api/stores?city=' + args.city, {signal})\n"

/** Mistakes in scripts that people make who do not program: what is pasted, results and requests. */
export const SCRIPTS: readonly Row[] = [
  [
    'a table as a result',
    {executeJs: "if (args.city === '') return 'No city.'\nreturn document.querySelector('#hours > table')"},
    {advised: 'RESULT_NOT_JSON'},
  ],
  // Pasting
  [
    'the fences of a chat around the script',
    {executeJs: '```js\nreturn args.city\n```'},
    {refused: 'executeJs', message: /remove the lines with ```/},
  ],
  [
    'the fences of a chat around the parameters',
    {inputSchema: '```json\n{"type": "object"}\n```'},
    {refused: 'inputSchema', message: /remove the lines with ```/},
  ],
  [
    'curly quotes in the script',
    {executeJs: 'return “Kiel”'},
    {refused: 'executeJs', message: /column 8: .*type straight quotation marks/},
  ],
  [
    'the script in the field of the parameters',
    {inputSchema: 'return args.city'},
    {refused: 'inputSchema', message: /not valid JSON/},
  ],
  [
    'the parameters in the field of the script',
    {executeJs: '{"type": "object", "properties": {}}'},
    {refused: 'executeJs', message: /cannot be read/},
  ],
  [
    'import',
    {executeJs: "import stores from '/stores.js'\nreturn stores"},
    {refused: 'executeJs', message: /import\(\) works/},
  ],
  [
    'Python',
    {executeJs: 'def run(city):\n  return city'},
    {refused: 'executeJs', message: /line 1, column 5/},
  ],
  ['jQuery', {executeJs: "$('#city').val(args.city)\nreturn 'Done'"}, {advised: 'VARIABLE_UNDECLARED'}],
  [
    'Node.js',
    {executeJs: "const fs = require('fs')\nreturn fs.readFileSync(args.city)"},
    {advised: 'VARIABLE_UNDECLARED'},
  ],
  // Results
  ['console.log instead of return', {executeJs: 'console.log(args.city)'}, {advised: 'RETURN_MISSING'}],
  [
    'a return in a callback only',
    {executeJs: '[args.city].map((one) => { return one })'},
    {advised: 'RETURN_MISSING'},
  ],
  [
    'a return missing in one branch',
    {executeJs: "if (args.city === 'Kiel') {\n  return 'open'\n} else {\n  console.log('closed')\n}"},
    {advised: 'RETURN_SOMETIMES'},
  ],
  [
    'an error that is caught and forgotten',
    {
      executeJs: `try {\n  ${FETCH}  return await response.json()\n} catch (error) {\n  console.error(error)\n}`,
    },
    {advised: 'RETURN_SOMETIMES'},
  ],
  [
    'the result on the line after return',
    {executeJs: 'return\n  {city: args.city}'},
    {advised: 'RETURN_EMPTY'},
  ],
  [
    'a return without a result',
    {executeJs: "if (args.city === '') return\nreturn args.city"},
    {advised: 'RETURN_EMPTY'},
  ],
  [
    'an arrow function that nothing calls',
    {executeJs: '(async () => { return args.city })'},
    {advised: 'FUNCTION_UNCALLED'},
  ],
  [
    'an element as result',
    {executeJs: 'return document.querySelector(args.city)'},
    {advised: 'RESULT_NOT_JSON'},
  ],
  [
    'an element as result, through a variable',
    {executeJs: 'const store = document.getElementById(args.city)\nreturn store'},
    {advised: 'RESULT_NOT_JSON'},
  ],
  ['a Map as result', {executeJs: 'return new Map([[args.city, 1]])'}, {advised: 'RESULT_NOT_JSON'}],
  // Requests
  ['the response as result', {executeJs: `${FETCH}return response`}, {advised: 'RESULT_NOT_JSON'}],
  [
    'data read from the response itself',
    {executeJs: `${FETCH}return response.stores`},
    {advised: 'RESPONSE_UNREAD'},
  ],
  [
    'data taken out of the response itself',
    {executeJs: "const {stores} = await fetch('/api/' + args.city, {signal})\nreturn stores"},
    {advised: 'RESPONSE_UNREAD'},
  ],
  [
    'json without parentheses',
    {executeJs: `${FETCH}const data = await response.json\nreturn data.stores`},
    {advised: 'RESPONSE_UNREAD'},
  ],
  [
    'await forgotten before fetch',
    {executeJs: "const response = fetch('/api/stores?city=' + args.city, {signal})\nreturn response.json()"},
    {advised: 'AWAIT_MISSING'},
  ],
  [
    'await forgotten before json()',
    {executeJs: `${FETCH}const data = response.json()\nreturn data.stores`},
    {advised: 'AWAIT_MISSING'},
  ],
  [
    'await forgotten in a result',
    {executeJs: `${FETCH}return {stores: response.json()}`},
    {advised: 'AWAIT_MISSING'},
  ],
  [
    'fetch without signal',
    {executeJs: 'const response = await fetch(args.city)\nreturn response.json()'},
    {advised: 'FETCH_WITHOUT_SIGNAL'},
  ],
  [
    'fetch with options but without signal',
    {executeJs: "const response = await fetch(args.city, {method: 'POST'})\nreturn response.json()"},
    {advised: 'FETCH_WITHOUT_SIGNAL'},
  ],
  [
    'an address without https://',
    {
      executeJs:
        "const response = await fetch('www.example.com/' + args.city, {signal})\nreturn response.json()",
    },
    {advised: 'ADDRESS_WRONG'},
  ],
  [
    'an address of http:',
    {
      executeJs:
        "const response = await fetch('http://api.example.com/' + args.city, {signal})\nreturn response.json()",
    },
    {advised: 'ADDRESS_WRONG'},
  ],
  [
    'the address of the own computer',
    {
      executeJs:
        "const response = await fetch('http://localhost:3000/' + args.city, {signal})\nreturn response.json()",
    },
    {advised: 'ADDRESS_WRONG'},
  ],
  [
    'an import of a file of the website',
    {executeJs: "const {find} = await import('./stores.js')\nreturn find(args.city)"},
    {refused: 'executeJs', message: /imports '\.\/stores\.js' at line 1.*document\.baseURI/},
  ],
  [
    'an import of a file of the website, by a variable',
    {executeJs: "const file = '/js/stores.js'\nconst {find} = await import(file)\nreturn find(args.city)"},
    {advised: 'ADDRESS_WRONG'},
  ],
  [
    'a file of the own computer',
    {
      executeJs:
        "const response = await fetch('file:///stores.json', {signal})\nreturn [args.city, await response.json()]",
    },
    {advised: 'ADDRESS_WRONG'},
  ],
]
