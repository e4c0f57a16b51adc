import type {Row} from './row.ts'

/** Mistakes in scripts that people make who do not program: what is pasted, and requests. */
export const SCRIPTS: readonly Row[] = [
  // Pasting
  [
    'the fences of a chat around the script',
    {executeJs: '```js\nreturn args.city\n```'},
    /remove the lines with ```/,
  ],
  [
    'the fences of a chat around the parameters',
    {inputSchema: '```json\n{"type": "object"}\n```'},
    /remove the lines with ```/,
  ],
  ['curly quotes in the script', {executeJs: 'return “Kiel”'}, /column 8: .*type straight quotation marks/],
  ['the script in the field of the parameters', {inputSchema: 'return args.city'}, /not valid JSON/],
  [
    'the parameters in the field of the script',
    {executeJs: '{"type": "object", "properties": {}}'},
    /cannot be read/,
  ],
  ['import', {executeJs: "import stores from '/stores.js'\nreturn stores"}, /import\(\) works/],
  // Results
  ['console.log instead of return', {executeJs: 'console.log(args.city)'}, 'RETURN_MISSING'],
  ['a return in a callback only', {executeJs: '[args.city].map((one) => { return one })'}, 'RETURN_MISSING'],
  ['the result on the line after return', {executeJs: 'return\n  {city: args.city}'}, 'RETURN_MISSING'],
  // Requests
  [
    'an address without https://',
    {
      executeJs:
        "const response = await fetch('www.example.com/' + args.city, {signal})\nreturn response.json()",
    },
    'ADDRESS_WRONG',
  ],
  [
    'an address of http:',
    {
      executeJs:
        "const response = await fetch('http://api.example.com/' + args.city, {signal})\nreturn response.json()",
    },
    'ADDRESS_WRONG',
  ],
]
