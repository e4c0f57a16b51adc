import {webAddress} from '../../schemas/rules/origin.ts'
import {type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {multipartText} from '../multipart.ts'
import {type CopiedRequest, copiedRequest} from './copiedRequest.ts'
import {type CurlOptions, curlOptionsOf} from './curlOptions.ts'
import {type Word, wordsOf} from './shellWords.ts'

/** The program, first in its line, or after a prompt, a comment sign or other words. */
const PROGRAM =
  /^(?:[^\n#'"]{0,200}[ \t>$%|]|[ \t]*#[ \t]+)?(?:[^\s'"#]{0,200}[\\/])?curl(?:\.exe)?(?=\s|$)/im

/** Reads a command such as browsers copy it (“Copy as cURL”), for a POSIX shell. */
export function parseCurl(text: string): Parsed<CopiedRequest> {
  const program = PROGRAM.exec(text)
  if (program === null)
    return refuse(
      'This is no cURL command: it begins with “curl”. To get one, in your browser, choose “Copy as cURL”.',
    )
  const words = wordsOf(text.slice(program.index + program[0].length))
  if (!words.ok) return words
  const options = curlOptionsOf(words.value)
  return options.ok ? requestOf(options.value) : options
}

/** Options whose values are sent, and whether `@` in front of them means a file. */
const DATA: ReadonlyMap<string, RegExp | undefined> = new Map([
  ['--data', /^@/],
  ['--data-ascii', /^@/],
  ['--data-binary', /^@/],
  ['--json', /^@/],
  ['--data-urlencode', /^[^=]*@/],
  ['--data-raw', undefined],
])

/** Options for one part of a form, and what its value has that is read from a file. */
const FORM_OPTIONS: ReadonlyMap<string, RegExp | undefined> = new Map([
  ['--form', /^[^=]*=[@<]/],
  ['--form-string', undefined],
])

/** What only a script can send, and why. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['--upload-file', 'The command sends a file (--upload-file), which a page cannot read.'],
  ['--config', 'The command reads its options from a file (--config): write them into the command.'],
  ['--next', 'The command has several requests (--next): copy a command for one request.'],
])

/** Options for names, passwords and tokens, by the header that they become. */
const SECRET: ReadonlyMap<string, string> = new Map([
  ['--user', 'Authorization'],
  ['--oauth2-bearer', 'Authorization'],
  ['--aws-sigv4', 'Authorization'],
  ['--cookie', 'Cookie'],
])

function requestOf({addresses, named}: CurlOptions): Parsed<CopiedRequest> {
  const wordsFor = (wanted: string) => named.flatMap(([name, value]) => (name === wanted ? [value] : []))
  const valuesOf = (wanted: string) => wordsFor(wanted).map(({text}) => text)
  const has = (wanted: string) => named.some(([name]) => name === wanted)
  const [address, another] = [...addresses, ...wordsFor('--url')]
  if (address === undefined) return refuse('The command has no address: copy all of it.')
  const refused = named.find(([name]) => REFUSED.has(name))
  if (refused !== undefined) return refuse(REFUSED.get(refused[0]) ?? '')
  const data = named.filter(([name]) => DATA.has(name))
  const parts = named.filter(([name]) => FORM_OPTIONS.has(name))
  const query = wordsFor('--url-query')
  const isFile =
    data.some(([name, {text}]) => DATA.get(name)?.test(text)) ||
    parts.some(([name, {text}]) => FORM_OPTIONS.get(name)?.test(text)) ||
    query.some(({text}) => /^[^=+]*@/.test(text))
  if (isFile)
    return refuse('The command sends a file, which a page cannot read: copy a command with the data in it.')
  if (another !== undefined) return refuse('The command has two addresses: copy a command for one request.')
  const variable = [address, ...query, ...[...data, ...parts].map(([, value]) => value)].find(
    (word) => word.variable,
  )?.variable
  if (variable !== undefined)
    return refuse(
      `The command contains “${variable}”, which only your computer knows: write its value instead.`,
    )
  const url = addressOf(address, has('--globoff'))
  if (url === undefined)
    return refuse(`This is not an address, which begins with https://: “${address.text.slice(0, 80)}”.`)
  const body = parts.length > 0 ? multipartText(parts.map(([, {text}]) => partOf(text))) : joined(data)
  const added = [
    ...query.map(({text}) => (text.startsWith('+') ? text.slice(1) : encodeData(text))),
    ...(has('--get') ? [body] : []),
  ]
  if (added.length > 0) url.search = [url.search.slice(1), ...added].filter((part) => part !== '').join('&')
  const hasBody = data.length + parts.length > 0 && !has('--get')
  const headers = valuesOf('--header').map(headerOf)
  const secrets = [...SECRET].flatMap(([name, header]) => (has(name) ? [[header, ''] as const] : []))
  return copiedRequest({
    method: valuesOf('--request').at(-1) ?? (has('--head') ? 'HEAD' : hasBody ? 'POST' : 'GET'),
    address: url,
    headers: [...headers, ...secrets],
    body: hasBody ? body : undefined,
    usualType: has('--json') ? 'application/json' : 'application/x-www-form-urlencoded',
  })
}

/** Browsers write `\[` for a bracket, which stands for several addresses otherwise. */
function addressOf({text}: Word, isPlain: boolean): URL | undefined {
  const plain = isPlain ? text : text.replace(/\\([[\]{}])/g, '$1')
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(plain) ? plain : `https://${plain}`
  return webAddress(address)
}

function headerOf(header: string): readonly [name: string, value: string] {
  const [, name = header, value = ''] = /^([^:;]*)[:;]\s*(.*)$/s.exec(header) ?? []
  return [name.trim(), value.trim()]
}

/** Parts of a form are joined with `&`, those of JSON with nothing. */
function joined(data: CurlOptions['named']): string {
  return data
    .map(([name, {text}], at) => {
      const value = name === '--data-urlencode' ? encodeData(text) : text
      return at === 0 || name === '--json' ? value : `&${value}`
    })
    .join('')
}

/** `name=value`, where quotes may be around the value, and its type after it. */
function partOf(text: string): readonly [name: string, value: string] {
  const [, name = '', quoted, plain = ''] =
    /^([^=]*)=(?:"((?:[^"\\]|\\.)*)"(?:;.*)?|(.*?)(?:;\s*(?:type|filename|headers)=.*)?)$/s.exec(text) ?? []
  return [name, quoted?.replace(/\\(["\\])/g, '$1') ?? plain]
}

/** `--data-urlencode name=some text` encodes what is after the first `=`, and all if there is none. */
function encodeData(value: string): string {
  const at = value.indexOf('=')
  return `${at < 1 ? '' : value.slice(0, at + 1)}${encodeURIComponent(value.slice(at + 1).toWellFormed())}`
}
