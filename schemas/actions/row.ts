import type {Fields} from '../record.ts'
import {parseJson} from '../rules/json.ts'
import type {MemberPath} from '../rules/names/memberPath.ts'
import {accept, BrokenRule, checked, type Parsed, parseChoice, refuse} from '../rules/parsed.ts'
import {parseSelector} from '../rules/selector.ts'
import {fixedText, parameterProblem, parseAttribute, parseName, parsePlainPath} from './parts.ts'

/** What a row sends: the argument of a parameter, always the same, or what stands on the page at the moment of the call. */
export type RowValue = {readonly parameter: string} | {readonly fixed: unknown} | {readonly page: PageValue}

/** A place on the page. Without an attribute it is what stands in a field. */
export type PageValue =
  | {readonly selector: string; readonly attribute: string | undefined}
  | {readonly cookie: string}

/** The place of a value inside a text that holds JSON, or names and values as in an address. */
export type Inside = {readonly text: 'json' | 'query'; readonly path: MemberPath; readonly member: string}

/** How the value of a row is sent in JSON: as a text, or as the number, the yes or no, or the list that it is. */
const VALUE_FORMATS = ['text', 'json'] as const

/** What the text of a row holds. */
const INSIDE_FORMATS = ['json', 'query'] as const

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2, “token”: names of headers and cookies. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Browsers let no script send these (https://fetch.spec.whatwg.org/#forbidden-request-header), and tools these two by themselves. */
const REFUSED_HEADERS =
  /^(?:accept-charset|accept-encoding|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via|accept|content-type)$/i

/** @throws BrokenRule */
export function parseHeader(entry: Fields, field: string) {
  const name = checked(`${field}.name`, parseName(entry.name, 'The name of a header'))
  if (!TOKEN.test(name)) throw new BrokenRule(`${field}.name`, `“${name}” cannot be the name of a header.`)
  if (REFUSED_HEADERS.test(name))
    throw new BrokenRule(`${field}.name`, `Browsers send “${name}” by themselves: remove the row.`)
  const value = parseRowValue(entry, field)
  if ('parameter' in value)
    throw new BrokenRule(`${field}.parameter`, 'A header is always the same, or comes from the page.')
  if ('fixed' in value && !/^[\t -~\u00a0-\u00ff]*$/.test(fixedText(value)))
    throw new BrokenRule(`${field}.value`, 'A header cannot contain these characters.')
  return {path: [name], name, value}
}

/** @throws BrokenRule */
export function parseRowValue(entry: Fields, field: string): RowValue {
  const {parameter, value, format, selector, attribute, cookie} = entry
  const sources = [parameter, value, selector, cookie].filter(isThere)
  if (sources.length > 1)
    throw new BrokenRule(
      `${field}.value`,
      `The row has ${isThere(parameter) && isThere(value) ? 'a parameter and a value' : 'several values'}: remove one of them.`,
    )
  if (isThere(parameter)) return {parameter: checked(`${field}.parameter`, parseParameter(parameter))}
  if (isThere(cookie)) return {page: {cookie: checked(`${field}.cookie`, parseCookie(cookie))}}
  if (isThere(selector)) {
    const place = checked(`${field}.selector`, parseSelector(selector))
    const named = isThere(attribute) ? checked(`${field}.attribute`, parseAttribute(attribute)) : undefined
    return {page: {selector: place, attribute: named}}
  }
  if (sources.length === 0)
    throw new BrokenRule(
      field,
      'The row sends nothing: choose a parameter, write a value, or remove the row.',
    )
  return {fixed: checked(`${field}.value`, parseFixed(value, format))}
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function parseParameter(value: unknown): Parsed<string> {
  if (typeof value !== 'string') return refuse('The parameter of a row must be text.')
  const problem = parameterProblem(value)
  return problem === undefined ? accept(value) : refuse(problem)
}

function parseCookie(value: unknown): Parsed<string> {
  const name = parseName(value, 'The name of the cookie')
  if (!name.ok || TOKEN.test(name.value)) return name
  return refuse(`“${name.value}” cannot be the name of a cookie: write one like “csrftoken”.`)
}

function parseFixed(value: unknown, format: unknown): Parsed<unknown> {
  if (typeof value !== 'string') return refuse('The value of a row must be text.')
  if (value.length > 20_000) return refuse('The value of a row is longer than 20,000 characters: shorten it.')
  const kind = parseChoice(format, VALUE_FORMATS, 'The format of a value')
  if (!kind.ok) return kind
  return kind.value === 'text' ? accept(value) : parseJson(value, `The value “${value.slice(0, 40)}”`)
}

/**
 * Where the value is inside the text that the row is a part of.
 * @throws BrokenRule
 */
export function parseInside({inside, member}: Fields, field: string): {readonly inside?: Inside} {
  if (!isThere(inside)) return {}
  const text = checked(`${field}.inside`, parseChoice(inside, INSIDE_FORMATS, 'What the text holds'))
  const name = checked(`${field}.member`, parseName(member, 'The name of a value in a text'))
  const path = text === 'query' ? [name] : checked(`${field}.member`, parseBodyPath(name))
  return {inside: {text, path, member: name}}
}

/** A list of a body begins at 0 and has no gap: others would be sent as `null`. */
const MAX_POSITION = 50

/** The place of a value in JSON that is sent. */
export function parseBodyPath(name: string): Parsed<MemberPath> {
  const path = parsePlainPath(name, `The name “${name}”`)
  if (!path.ok) return path
  if (path.value.some((step) => typeof step === 'number' && step >= MAX_POSITION))
    return refuse(`The position in “${name}” is too high: a list begins with “[0]”.`)
  return path
}
