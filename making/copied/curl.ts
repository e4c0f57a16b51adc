import {webAddress} from '../../schemas/rules/origin.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {multipartText} from '../multipart.ts'
import {type CopiedRequest, copiedRequest} from './copiedRequest.ts'
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
  if (has('--config'))
    return refuse('The command reads its options from a file (--config): write them into the command.')
  const data = named.filter(([name]) => DATA.has(name))
  const parts = named.filter(([name]) => FORM_OPTIONS.has(name))
  const isFile =
    has('--upload-file') ||
    data.some(([name, {text}]) => DATA.get(name)?.test(text)) ||
    parts.some(([name, {text}]) => FORM_OPTIONS.get(name)?.test(text))
  if (isFile)
    return refuse('The command sends a file, which a page cannot read: copy a command with the data in it.')
  if (another !== undefined) return refuse('The command has two addresses: copy a command for one request.')
  const variable = [address, ...[...data, ...parts].map(([, value]) => value)].find(
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
  if (has('--get')) url.search = [url.search.slice(1), body].filter((part) => part !== '').join('&')
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

/** What stands after `curl`: addresses, and options by their long names. */
type CurlOptions = {
  readonly addresses: Word[]
  readonly named: (readonly [name: string, value: Word])[]
}

/** Options of one letter that take a value, as in `-XPOST` and `-X POST`: https://curl.se/docs/manpage.html */
const LETTERS_WITH_VALUE = 'AbCcDdEeFHKmoPQrTtUuwXxYyz'

/** The long names of letters that decide about a request. */
const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ['X', '--request'],
  ['H', '--header'],
  ['d', '--data'],
  ['F', '--form'],
  ['T', '--upload-file'],
  ['u', '--user'],
  ['b', '--cookie'],
  ['G', '--get'],
  ['I', '--head'],
  ['K', '--config'],
  ['g', '--globoff'],
])

/** Long options of requests with HTTP that take a value, without their dashes. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  `aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to cookie cookie-jar curves data data-ascii
  data-binary data-raw data-urlencode doh-url dump-header form form-string header interface json keepalive-time key
  key-type limit-rate max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir pass
  pinnedpubkey proto proto-default proxy proxy-cacert proxy-capath proxy-cert proxy-header proxy-key proxy-user range
  rate referer request request-target resolve retry retry-delay retry-max-time socks4 socks4a socks5 socks5-hostname
  stderr tls-max tls13-ciphers trace trace-ascii unix-socket upload-file url url-query user user-agent variable
  write-out`.split(/\s+/),
)

/** Reads the words after `curl`. */
function curlOptionsOf(words: readonly Word[]): Parsed<CurlOptions> {
  const options: CurlOptions = {addresses: [], named: []}
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? {text: ''}
    const {text} = word
    if (!text.startsWith('-') || text === '-') {
      options.addresses.push(word)
      continue
    }
    const {flags, option, attached} = text.startsWith('--') ? longOption(text) : letters(text)
    for (const flag of flags) options.named.push([flag, {text: ''}])
    if (option === undefined) continue
    const value = attached === '' ? words[at + 1] : {...word, text: attached}
    if (value === undefined) return refuse(`The command ends after ${word.text}: copy all of it.`)
    if (attached === '') at += 1
    options.named.push([option, value])
  }
  return accept(options)
}

type Read = {readonly flags: readonly string[]; readonly option?: string; readonly attached: string}

function longOption(text: string): Read {
  const [, name = '', attached = ''] = /^--([^=]*)=?(.*)$/s.exec(text) ?? []
  return WITH_VALUE.has(name) ? {flags: [], option: `--${name}`, attached} : {flags: [text], attached: ''}
}

/** Letters without a value, then at most one with a value, as in `-sXPOST`. */
function letters(text: string): Read {
  const all = [...text.slice(1)]
  const at = all.findIndex((letter) => LETTERS_WITH_VALUE.includes(letter))
  const named = all.map((letter) => LONG_NAMES.get(letter) ?? `-${letter}`)
  const option = named[at]
  return option === undefined
    ? {flags: named, attached: ''}
    : {flags: named.slice(0, at), option, attached: all.slice(at + 1).join('')}
}
