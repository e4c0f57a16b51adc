import {accept, type Parsed, refuse} from '../../rules/parsed.ts'
import {parseVisibleText, showCharacter} from '../../rules/text.ts'
import {parameterProblem, type Template} from '../parts.ts'

/** Where a request goes, or which page is opened. */
export type Address = {
  /** Such as `https://api.example.com`; undefined: the page's own. */
  readonly origin: string | undefined
  /** Percent-encoded, beginning with a slash. */
  readonly path: Template
  readonly query: readonly QueryPart[]
  /** After `#`, percent-encoded. */
  readonly fragment: Template
}

/** A name and a value of a query, decoded. */
type QueryPart = {readonly name: string; readonly value: Template}

const EXAMPLE = 'Write it like “/api/events” or “https://api.example.com/events”.'

/** Characters that stay as they are in a path and a fragment. `%` begins an escape that somebody wrote. */
const TO_ENCODE = /[^\w\-.!~*'()%/:@&=+$,;?]/gu

/**
 * An address of a request or a page, in which `{name}` stands for the parameter of this name: in the path, in values of the
 * query, and after `#`.
 */
export function parseAddress(value: unknown): Parsed<Address> {
  const text = parseVisibleText(typeof value === 'string' ? value.trim() : value, 'The address', 2_000)
  if (!text.ok) return text
  const address = text.value
  if (!/^(?:https?:\/\/|\/(?!\/))/i.test(address)) return refuse(problemOfBegin(address))
  const [, host, path = '', query = '', fragment = ''] =
    /^(https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(address) ?? []
  const origin = host === undefined ? accept(undefined) : parseOrigin(host)
  if (!origin.ok) return origin
  const wrong = problemOfPath(path) ?? problemOfCharacters(address)
  if (wrong !== undefined) return refuse(wrong)
  const pathParts = parseTemplate(path || '/')
  if (!pathParts.ok) return pathParts
  const fragmentParts = parseTemplate(fragment)
  if (!fragmentParts.ok) return fragmentParts
  const queryParts = parseQuery(query)
  if (!queryParts.ok) return queryParts
  return accept({
    origin: origin.value,
    path: encoded(pathParts.value),
    query: queryParts.value,
    fragment: encoded(fragmentParts.value),
  })
}

function problemOfBegin(address: string): string {
  const [scheme] = /^[a-z][a-z0-9+.-]*:(?!\d)/i.exec(address) ?? []
  if (scheme !== undefined && /^(?:javascript|data|vbscript|blob):/i.test(scheme))
    return `The address begins with “${scheme}”, which would run or contain code instead of being loaded from a website. ${EXAMPLE}`
  if (scheme !== undefined) return `The address begins with “${scheme}”, which pages cannot load. ${EXAMPLE}`
  if (address.startsWith('//')) return `Write “https:${address}”, with the “https:”.`
  if (/^www\.|^[\w-]+\.[a-z]{2,}(?:\/|$)/i.test(address))
    return `Write “https://${address}”, with the “https://”.`
  return `The address must begin with “/” or “https://”. ${EXAMPLE}`
}

function parseOrigin(text: string): Parsed<string> {
  if (/[{}]/.test(text))
    return refuse('A parameter cannot be part of the host: write it after the first “/”.')
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return refuse(`Browsers cannot read “${text}”. ${EXAMPLE}`)
  if (url.username !== '' || url.password !== '')
    return refuse(
      'The address contains a user name or a password, which every visitor could read: remove it.',
    )
  return accept(url.origin)
}

function problemOfPath(path: string): string | undefined {
  const segments = path.split('/')
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return 'The address contains “.” or “..” as a part of the path: write the whole path instead.'
  const colon = segments.find((segment) => /^:[a-z_]\w*$/i.test(segment))
  return colon === undefined ? undefined : `Write the parameter “${colon}” as “{${colon.slice(1)}}”.`
}

function problemOfCharacters(address: string): string | undefined {
  const [character] = /[<>"`\\\t\n\r]/.exec(address) ?? []
  if (character === undefined) return undefined
  return `The address contains ${showCharacter(character)}: remove it. A parameter is written as {name}.`
}

/** Splits a text at its `{parameters}`. */
export function parseTemplate(text: string): Parsed<Template> {
  const parts: (string | {readonly parameter: string})[] = []
  for (const [at, part] of text.split(/\{([^{}]*)\}/).entries()) {
    if (at % 2 === 1) {
      const problem = parameterProblem(part)
      if (problem !== undefined) return refuse(problem)
      parts.push({parameter: part})
    } else if (/[{}]/.test(part))
      return refuse('There is a single “{” or “}”: a parameter is written as {name}, between both.')
    else if (part !== '') parts.push(part)
  }
  return accept(parts)
}

function encoded(template: Template): Template {
  return template.map((part) => (typeof part === 'string' ? encodedPath(part) : part))
}

function encodedPath(text: string): string {
  return text.replace(TO_ENCODE, encodeURIComponent)
}

function parseQuery(query: string): Parsed<QueryPart[]> {
  const parts: QueryPart[] = []
  for (const part of query.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = at < 0 ? part : part.slice(0, at)
    if (/[{}]/.test(name))
      return refuse(`A parameter cannot be the name of a value: write it after “=”, as in “q={q}”.`)
    const value = parseTemplate(at < 0 ? '' : part.slice(at + 1))
    if (!value.ok) return value
    parts.push({
      name: decoded(name),
      value: value.value.map((piece) => (typeof piece === 'string' ? decoded(piece) : piece)),
    })
  }
  return accept(parts)
}

/** As `application/x-www-form-urlencoded` is decoded: broken escapes stay as they are. */
function decoded(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? text
}
