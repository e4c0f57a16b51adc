import {type Row, schemaOf} from './row.ts'

const SIZE = schemaOf({size: {type: 'string', enum: ['S', 'M'], description: 'The size of the shirt'}})
const OPEN = schemaOf({open: {type: 'boolean', description: 'Only stores that are open now'}})

/** Mistakes in scripts that people make who do not program: arguments, expressions, the page and secrets. */
export const EXPRESSIONS: readonly Row[] = [
  // Arguments
  ['an argument in the wrong case', {executeJs: 'return args.City'}, 'ARGUMENT_UNKNOWN'],
  [
    'an unknown argument taken out of args',
    {executeJs: 'const {town} = args\nreturn town'},
    'ARGUMENT_UNKNOWN',
  ],
  ['a parameter without args', {executeJs: 'return city'}, 'VARIABLE_UNDECLARED'],
  ['a parameter that is never read', {executeJs: "return 'Kiel'"}, 'PARAMETER_UNREAD'],
  [
    'a template between single quotes',
    {executeJs: `const response = await fetch('/api/\${args.city}', {signal})\nreturn response.json()`},
    'TEXT_NOT_TEMPLATE',
  ],
  [
    'an argument within a text',
    {
      executeJs:
        "const response = await fetch('/api/stores?city=args.city', {signal})\nreturn response.json()",
    },
    'TEXT_NOT_TEMPLATE',
  ],
  [
    'a parameter in braces within a text',
    {executeJs: "const response = await fetch('/api/stores/{city}', {signal})\nreturn response.json()"},
    'TEXT_NOT_TEMPLATE',
  ],
  [
    'yes or no compared with a text',
    {inputSchema: OPEN, executeJs: "return args.open === 'true' ? 'open' : 'all'"},
    'COMPARISON_IMPOSSIBLE',
  ],
  [
    'an argument compared with a choice that it does not have',
    {inputSchema: SIZE, executeJs: "return args.size === 'XL' ? 1 : 2"},
    'COMPARISON_IMPOSSIBLE',
  ],
  // Expressions
  [
    'a variable without let or const',
    {executeJs: 'result = args.city\nreturn result'},
    'VARIABLE_UNDECLARED',
  ],
  [
    'one = in a condition',
    {executeJs: "let city = args.city\nif (city = 'Kiel') return 1\nreturn 2"},
    'ASSIGNMENT_IN_CONDITION',
  ],
  [
    'a decimal comma in the parameters',
    {inputSchema: '{"type": "object", "properties": {"price": {"type": "number", "minimum": 0,5}}}'},
    /numbers with a point/,
  ],
  [
    'a loop without an end',
    {executeJs: 'while (true) {\n  document.title = args.city\n}\nreturn 1'},
    'LOOP_ENDLESS',
  ],
  [
    'a loop whose counter never changes',
    {executeJs: 'let i = 0\nwhile (i < 10) {\n  document.title = args.city\n}\nreturn i'},
    'LOOP_ENDLESS',
  ],
  // The page
  ['alert', {executeJs: "alert('Looking for ' + args.city)\nreturn 'Done'"}, 'DIALOG'],
  ['document.write', {executeJs: "document.write(args.city)\nreturn 'Done'"}, 'PAGE_REPLACED'],
  [
    'an argument as HTML',
    {executeJs: "document.querySelector('#city').innerHTML = '<b>' + args.city + '</b>'\nreturn 'Done'"},
    'HTML_FROM_ARGUMENTS',
  ],
  ['eval', {executeJs: 'return eval(args.city)'}, 'CODE_FROM_TEXT'],
  [
    'a new page before the result',
    {executeJs: "location.href = '/stores/' + args.city\nreturn 'Opened'"},
    'NAVIGATION_BEFORE_RETURN',
  ],
  [
    'an ID with "#"',
    {executeJs: "return document.getElementById('#city').textContent + args.city"},
    'ID_WITH_SIGN',
  ],
  // Secrets
  ['an AWS key', {executeJs: "const key = 'AKIAIOSFODNN7EXAMPLE'\nreturn args.city + key"}, 'SECRET'],
  ['an API key', {executeJs: "const apiKey = 'q8Zr61jfPLmN02xW'\nreturn args.city + apiKey"}, 'SECRET'],
  [
    'a token in a header',
    {
      executeJs:
        "const o = {headers: {authorization: 'Bearer abcdef0123456789abcdef'}, signal}\nreturn [args.city, o]",
    },
    'SECRET',
  ],
  [
    'a secret in an address',
    {
      executeJs:
        "const response = await fetch('/api?token=abcdef0123456789&city=' + args.city, {signal})\nreturn response.json()",
    },
    'SECRET',
  ],
  [
    'a password in an address',
    {
      executeJs:
        "const response = await fetch('https://me:pa55@api.example/' + args.city, {signal})\nreturn response.json()",
    },
    'SECRET',
  ],
]
