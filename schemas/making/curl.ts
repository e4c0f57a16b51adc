import {accept, type Parsed, refuse} from '../rules/parsed.ts'
import type {Exchange} from './inputs.ts'

/** What a cURL command asks for. */
type CurlRequest = {
  readonly exchange: Exchange
  /** Names of headers that are not taken over: browsers set most of them, and secrets do not belong into a tool. */
  readonly leftOut: readonly string[]
}

const LONGEST = 100_000

/** Options of one letter that take a value, as in `-XPOST` and `-X POST`. */
const WITH_VALUE = 'XHdFTuAbecomwxKECUDYyzrQt'

/** Long options that take a value and change nothing about what a page would send. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['--user-agent', '--referer', '--cookie', '--cookie-jar', '--output', '--max-time', '--connect-timeout'],
  ...['--retry', '--proxy', '--write-out', '--cacert', '--resolve', '--user', '--cert', '--key', '--range'],
])

const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ...([
    ['X', '--request'],
    ['H', '--header'],
    ['d', '--data'],
    ['F', '--form'],
    ['T', '--upload-file'],
    ['u', '--user'],
    ['A', '--user-agent'],
    ['b', '--cookie'],
    ['e', '--referer'],
    ['c', '--cookie-jar'],
    ['o', '--output'],
    ['m', '--max-time'],
    ['w', '--write-out'],
    ['x', '--proxy'],
    ['r', '--range'],
    ['E', '--cert'],
    ['G', '--get'],
    ['I', '--head'],
  ] as const),
])

const DATA: ReadonlySet<string> = new Set([
  ...['--data', '--data-raw', '--data-ascii', '--data-binary', '--data-urlencode', '--json'],
])

/** Reads a command such as browsers copy it (“Copy as cURL”), for a POSIX shell. */
export function parseCurl(text: string): Parsed<CurlRequest> {
  if (text.length > LONGEST) return refuse(`The command has more than ${LONGEST} characters: shorten it.`)
  const words = wordsOf(text)
  if (!words.ok) return words
  const [program, ...rest] = words.value
  if (program === undefined || !/(?:^|[\\/])curl(?:\.exe)?$/i.test(program))
    return refuse('This is no cURL command: it begins with “curl”. In your browser, choose “Copy as cURL”.')
  const end = rest.findIndex((word) => [';', '&&', '|', '>'].includes(word))
  const options = optionsOf(end < 0 ? rest : rest.slice(0, end))
  if (!options.ok) return options
  return requestOf(options.value)
}

type Options = {readonly addresses: string[]; readonly named: (readonly [name: string, value: string])[]}

function optionsOf(words: readonly string[]): Parsed<Options> {
  const options: Options = {addresses: [], named: []}
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('-') || word === '-') {
      options.addresses.push(word)
      continue
    }
    const isLong = word.startsWith('--')
    const [, letters = ''] = isLong ? [] : [undefined, word.slice(1)]
    const name = isLong ? word : `-${letters[0]}`
    const takesValue = isLong
      ? IGNORED.has(word) ||
        DATA.has(word) ||
        ['--request', '--header', '--form', '--url', '--upload-file'].includes(word)
      : WITH_VALUE.includes(letters[0] ?? '')
    if (!takesValue) {
      for (const letter of isLong ? [] : letters)
        options.named.push([LONG_NAMES.get(letter) ?? `-${letter}`, ''])
      if (isLong) options.named.push([word, ''])
      continue
    }
    const attached = isLong ? '' : letters.slice(1)
    const value = attached === '' ? words[at + 1] : attached
    if (value === undefined) return refuse(`The command ends after ${name}: copy all of it.`)
    if (attached === '') at += 1
    options.named.push([isLong ? name : (LONG_NAMES.get(letters[0] ?? '') ?? name), value])
  }
  return accept(options)
}

function requestOf({addresses, named}: Options): Parsed<CurlRequest> {
  const valuesOf = (wanted: string) => named.flatMap(([name, value]) => (name === wanted ? [value] : []))
  const has = (wanted: string) => named.some(([name]) => name === wanted)
  const [address, another] = [...addresses, ...valuesOf('--url')]
  if (address === undefined) return refuse('The command has no address: copy all of it.')
  if (another !== undefined) return refuse('The command has two addresses: copy a command for one request.')
  if (has('--form') || has('--upload-file'))
    return refuse('The command sends files or a form in parts (--form), which only a script can do.')
  const data = named.filter(([name]) => DATA.has(name))
  if (data.some(([name, value]) => name !== '--data-raw' && value.startsWith('@')))
    return refuse('The command sends a file, which a page cannot read: copy a command with the data in it.')
  const url = addressOf(address)
  if (url === undefined)
    return refuse(`“${address.slice(0, 80)}” is not an address: it begins with https://.`)
  const headers = valuesOf('--header').map(headerOf)
  const contentType =
    headers.find(({name}) => name.toLowerCase() === 'content-type')?.value ??
    (has('--json') ? 'application/json' : data.length > 0 ? 'application/x-www-form-urlencoded' : undefined)
  const body = data
    .map(([name, value]) => (name === '--data-urlencode' ? encodeData(value) : value))
    .join('&')
  if (has('--get') && body !== '')
    url.search = [url.search.slice(1), body].filter((part) => part !== '').join('&')
  const hasBody = data.length > 0 && !has('--get')
  const method =
    valuesOf('--request').at(-1)?.toUpperCase() ?? (has('--head') ? 'HEAD' : hasBody ? 'POST' : 'GET')
  const secret = has('--user') ? ['Authorization'] : []
  const cookies = has('--cookie') ? ['Cookie'] : []
  const kept = headers.filter(({name}) => !/^(?:content-type|accept|content-length)$/i.test(name))
  return accept({
    exchange: {
      method,
      address: url.href,
      ...(hasBody ? {body, ...(contentType === undefined ? {} : {contentType})} : {}),
    },
    leftOut: [...new Set([...kept.map(({name}) => name), ...secret, ...cookies])],
  })
}

function addressOf(text: string): URL | undefined {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}

function headerOf(header: string): {readonly name: string; readonly value: string} {
  const [, name = header, value = ''] = /^([^:]*):\s*(.*)$/s.exec(header) ?? []
  return {name, value}
}

/** `--data-urlencode name=some text` encodes what is after the first `=`. */
function encodeData(value: string): string {
  const at = value.indexOf('=')
  return `${value.slice(0, at + 1)}${encodeURIComponent(value.slice(at + 1))}`
}

/** Escapes in `$'…'`, which browsers write for line breaks and other characters. */
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  "'": "'",
  '"': '"',
  '\\': '\\',
  '!': '!',
}

/** The words of a command, as a POSIX shell reads it: quotes, `$'…'`, and line breaks after a backslash. */
function wordsOf(text: string): Parsed<string[]> {
  const words: string[] = []
  const part = /\\\r?\n|\s+|\$'((?:\\.|[^'\\])*)'|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\$]+|\$)/suy
  let word: string | undefined
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at
    const [found, escaped, single, double, character, plain] = part.exec(text) ?? []
    if (found === undefined) return refuse('A quotation mark of the command is not closed: copy all of it.')
    if (/^\\\r?\n$/.test(found)) continue
    if (/^\s+$/.test(found)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const piece =
      escaped?.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gis, (_, u, x, one) =>
        one === undefined ? String.fromCharCode(Number.parseInt(u ?? x, 16)) : (ESCAPES[one] ?? one),
      ) ??
      single ??
      double?.replace(/\\(["\\$`]|\r?\n)/g, (_, one) => (/\n/.test(one) ? '' : one)) ??
      character ??
      plain ??
      ''
    word = `${word ?? ''}${piece}`
  }
  return accept(word === undefined ? words : [...words, word])
}
