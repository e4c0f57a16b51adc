import type {Row} from './row.ts'

/** Mistakes in scripts that people make who do not program: arguments, the page and secrets. */
export const EXPRESSIONS: readonly Row[] = [
  // Arguments
  ['an argument in the wrong case', {executeJs: 'return args.City'}, 'ARGUMENT_UNKNOWN'],
  [
    'an unknown argument taken out of args',
    {executeJs: 'const {town} = args\nreturn town'},
    'ARGUMENT_UNKNOWN',
  ],
  ['a parameter that is never read', {executeJs: "return 'Kiel'"}, 'PARAMETER_UNREAD'],
  [
    'a parameter that the data of an action does not name',
    {
      executeJs:
        "const action = {town: 'town'}\nconst open = (call) => call.args[call.town]\nreturn open({args, ...action})",
    },
    'PARAMETER_UNREAD',
  ],
  // The page
  ['alert', {executeJs: "alert('Looking for ' + args.city)\nreturn 'Done'"}, 'DIALOG'],
  [
    'an argument as HTML',
    {executeJs: "document.querySelector('#city').innerHTML = '<b>' + args.city + '</b>'\nreturn 'Done'"},
    'HTML_FROM_ARGUMENTS',
  ],
  [
    'a new page before the result',
    {executeJs: "location.href = '/stores/' + args.city\nreturn 'Opened'"},
    'NAVIGATION_BEFORE_RETURN',
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
