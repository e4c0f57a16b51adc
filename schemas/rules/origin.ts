import {accept, type Parsed, parseDistinct, refuse} from './parsed.ts'
import {parseText} from './text.ts'

/**
 * An origin to which a tool may be exposed, exactly as browsers write it: scheme, host, and the port unless
 * it is the scheme's default. It must be secure: `https:`, or this machine. Browsers reject a registration
 * with any other.
 */
export function parseOrigin(value: unknown): Parsed<string> {
  const text = parseText(value, 'The origin', 300)
  if (!text.ok) return text
  const typed = text.value
  if (typed === '*' || typed === 'null') {
    return refuse(`"${typed}" does not work as an origin here: list each origin, or leave the list empty.`)
  }
  const problem = findProblem(typed)
  return problem === undefined ? accept(typed) : refuse(`"${typed}" ${problem}`)
}

/**
 * The origins to which a tool is exposed. The list may be empty: "an empty array means every document in the
 * frame tree". One invalid entry makes the list invalid, because browsers would reject the whole
 * registration.
 */
export function parseOrigins(value: unknown): Parsed<string[]> {
  return parseDistinct(value, 'The origins', parseOrigin)
}

/** An address of a site. Of an address that was copied from a browser, the origin counts. */
export function parseAddress(value: unknown): Parsed<string> {
  const text = parseText(value, 'The address', 2_000)
  return text.ok ? parseOrigin(originIn(text.value) ?? text.value) : text
}

/** The addresses of a site. The list may be empty. */
export function parseAddresses(value: unknown): Parsed<string[]> {
  return parseDistinct(value, 'The addresses', parseAddress)
}

/** The origin of an address that was copied from a browser, or typed without its scheme; undefined for other texts. */
export function originIn(typed: string): string | undefined {
  return typedAddress(typed)?.origin
}

/** An address that was copied from a browser, or typed without its scheme; undefined for other texts. */
export function typedAddress(typed: string): URL | undefined {
  const url = webAddress(typed)
  if (url !== undefined) return url
  const guess = withScheme(typed.trim())
  return guess && (/\w\.\w/.test(guess.host) || isThisMachine(guess.hostname)) ? guess : undefined
}

/** The address of a website; undefined: it is something else. */
export function webAddress(text: string): URL | undefined {
  const url = URL.parse(text.trim())
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}

function findProblem(typed: string): string | undefined {
  if (!typed.includes('://')) {
    const guess = withScheme(typed)
    return guess === undefined ? EXAMPLE : `has no scheme: type "${guess.origin}".`
  }
  const url = webAddress(typed)
  if (url === undefined) return EXAMPLE
  if (url.hostname.includes('*')) return 'has a wildcard: list each origin separately.'
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    return `is not secure: type "https://${url.host}".`
  if (url.origin !== typed) return `is more than an origin: type "${url.origin}".`
  return undefined
}

/** An address without a scheme, with the one that its pages probably have. "localhost:3000" is a URL with the scheme "localhost:". */
function withScheme(typed: string): URL | undefined {
  const guess = /^[/\w]/.test(typed) && !/:\/\/|@/.test(typed) ? URL.parse(`https://${typed}`) : null
  if (guess && isThisMachine(guess.hostname)) guess.protocol = 'http:'
  return guess ?? undefined
}

const EXAMPLE = 'is not the origin of a web page: type one such as "https://www.example.com".'

function isThisMachine(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}
