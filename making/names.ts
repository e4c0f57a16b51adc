import {looksRandom, secretKindOf} from '../schemas/rules/names/secrets.ts'
import {wordsOf} from '../schemas/rules/names/toolName.ts'
import {parsePathPattern} from '../schemas/rules/paths/pathPattern.ts'
import {capital} from '../schemas/rules/text.ts'

/** Some agents refuse names of more than 64 characters; a number may follow. */
const LONGEST_NAME = 57

/** The words of a text as a name: “filter[status]” becomes `filterStatus`. */
export function nameFromWords(text: string): string {
  const words = withoutMarks(text).match(/[A-Za-z]+|\d+/g) ?? []
  const [first = '', ...rest] = words
  const isUpper = first === first.toUpperCase()
  const start = isUpper ? first.toLowerCase() : first.charAt(0).toLowerCase() + first.slice(1)
  const name = [start, ...rest.map(capital)].join('')
  return (/^\d/.test(name) ? `value${name}` : name).slice(0, LONGEST_NAME)
}

/** “Préférés” becomes “Preferes”. */
function withoutMarks(text: string): string {
  return text.replaceAll('ß', 'ss').normalize('NFD').replaceAll(/\p{M}/gu, '')
}

/** `getBooksById` → `Get books by id.` */
export function sentenceOf(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase()
  return `${capital(words)}.`
}

/**
 * A heading without what is there at the moment: “3 results for “rope”” becomes “results”, and “Select user to change” becomes “user”.
 * @param now what was searched for or chosen, which may be all that it says
 */
export function lastingHeading(heading: string, now: readonly string[] = []): string {
  const found = now.map((text) => ({text, at: heading.toLowerCase().indexOf(text.toLowerCase())}))
  const [said] = found.filter(({at}) => at >= 0).toSorted((one, other) => other.text.length - one.text.length)
  const isChosen =
    said && !/[\p{L}\p{N}]/u.test(heading.charAt(said.at - 1) + heading.charAt(said.at + said.text.length))
  const open = isChosen
    ? `${heading.slice(0, said.at).replace(/["“„«]$/, '')}“”${heading.slice(said.at + said.text.length).replace(/^["“”»]/, '')}`
    : heading
  const lasting = open
    .replaceAll(/(?:(?:^|\s)(?:for|of|für|zu|nach|pour|para|per|voor))?\s*["“„«][^"“”»]*["”“»]/g, '')
    .replace(/^(?:found\s+)?\d[\d.,]*\s+(?=\p{L})|\s*(?:\(\d+\)|(?<=\p{L})\s*\[.*\]|[:¶#])$/giu, '')
    .replace(/^(?:select|choose) (.+) to (?:change|edit|view)$/i, '$1')
    .trim()
  return lasting || (isChosen ? '' : heading)
}

/** Several of one: “category” becomes “categories”. */
export function pluralOf(word: string): string {
  return singularOf(word) !== word
    ? word
    : `${word.replace(/(?<=[^aeiou])y$/, 'ie').replace(/(?:s|sh|ch|x|z)$/, '$&e')}s`
}

/** A name that is not taken yet, and that no object has by itself. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = wanted === '' || wanted in {} ? `${wanted}Value` : wanted
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name}${count}`
  return free
}

/** The same; where it is taken, with what tells the thing from the other one: `getProducts` becomes `getProductsOfSale`. */
export function distinctName(wanted: string, besides: string, taken: ReadonlySet<string>): string {
  return freeName(taken.has(wanted) ? nameFromWords(`${wanted} ${besides}`) : wanted, taken)
}

/** One of many: “branches” becomes “branch”. */
export function singularOf(word: string): string {
  if (/news$/i.test(word)) return word
  if (/ies$/i.test(word)) return word.replace(/ies$/i, 'y')
  if (/(?:ss|sh|ch|x|z)es$/i.test(word)) return word.slice(0, -2)
  return /[^su]s$/i.test(word) ? word.slice(0, -1) : word
}

/** The last words of names that say how many. */
const COUNT =
  /(?:^| )(?:page|pages|limit|offset|count|skip|take|top|rows|(?:page|batch) size|quantity|qty|days|nights|guests|adults|children|persons|people|seats|rooms|anzahl|menge)$/

/** Whether a name says how many of something. */
export function isCount(name: string): boolean {
  return COUNT.test(wordsOf(name).join(' ').toLowerCase())
}

const ID =
  /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|[a-z]{1,4}[-_]?\d+|(?=.*\d)(?=.*[A-Za-z])[\w-]{9,})$/i

/** Whether a part of an address looks like the id of one thing, and not like a name or a version. */
export function isId(segment: string): boolean {
  return ID.test(segment) && !/^v\d+(?:\.\d+)*$/i.test(segment)
}

/** The pattern for pages like this one: “/books/b1” becomes “/books/*”. @param heading of the page */
export function patternOf(path: string, heading = ''): string {
  const ids = idsIn(path, heading)
  const pattern = path
    .replaceAll(/[*{}[\]|\\"`]/g, '?')
    .split('/')
    .map((segment) => (ids.includes(segment) ? '*' : segment))
    .join('/')
    // Posts of a blog are below the days, or months, of all years.
    .replace(/^\/20\d\d(?=(?:\/\*){2,}\/?$)/, '/20*')
  // After the id, a slash would begin another part.
  return ids.length > 0 ? pattern.replace(/\/$/, '') : pattern
}

/** The pattern for the pages next to one, where its address does not say whether it is one of many. */
export function alikeOf(path: string): string {
  return path.replace(/(?<=[^/]\/)[^/]+\/?$/, '*')
}

/** The pattern for some of the pages of a website: pages like one of them if no others are, else all if most have it, else each of them. */
export function patternOfSome(own: ReadonlySet<string>, all: ReadonlySet<string>): string {
  const [first = '/**', ...others] = own
  if (others.length === 0) return first
  const alike = alikeOf(first)
  if ([...all].every((path) => own.has(path) === (alikeOf(path) === alike))) return alike
  const each = `/{${[...own].map((path) => path.slice(1).replaceAll(',', '%2C')).join()}}`
  return own.has('/**') || own.size * 2 > all.size || !parsePathPattern(each).ok ? '/**' : each
}

/** What tells what a page has from what others have: “of sale”. */
export function wordsOfPath(path: string): string {
  const [, last = path === '/' ? 'home page' : ''] = /([^/*{}]+)[/*]*$/.exec(path) ?? []
  return last && `of ${last}`
}

/** The parts of an address that tell a page from pages like it. */
export function idsIn(path: string, heading = ''): string[] {
  const isOne = thingOf(path, heading) !== undefined
  const segments = path.split('/').filter(Boolean)
  return segments.filter(
    (segment, at) =>
      (at > 0 && isId(segment)) || looksRandom(segment) || (isOne && at === segments.length - 1),
  )
}

/**
 * What a page is about that is one of many: “tour” for “/tours/101”, and for “/tours/whale-watching” if the page has this heading.
 * Undefined: it is the only one.
 */
export function thingOf(path: string, heading = ''): string | undefined {
  const [last = '', above = '', before = ''] = path.split('/').filter(Boolean).toReversed()
  const isDated = /^(?:0?[1-9]|[12]\d|3[01])$/.test(above)
  if (isDated || OF_TEXTS.test(above)) {
    const isText = !last.includes(':') && slugOf(decodedSegment(last)) === slugOf(heading)
    return isText && heading !== '' ? (isDated ? 'post' : 'page') : undefined
  }
  if (!/^(?!page$)[A-Za-z_-]+$/.test(above)) return undefined
  const thing = singularOf(above)
  const slug = last.replace(EXTENSION, '').toLowerCase()
  // “/projects/boats/issues” has the issues of one project.
  const isNamed = thing !== above && singularOf(before) === before && slug !== '' && slug === slugOf(heading)
  return isNamed || isId(last) || looksRandom(last) ? thing.replaceAll(/[_-]+/g, ' ') : undefined
}

/** What the addresses of texts with names of their own begin with. */
const OF_TEXTS = /^(?:wiki|w|index\.php|blog|news)$/i

const EXTENSION = /\.\w{2,5}$/

/** “Mooring Rope” is `mooring-rope` in an address. */
function slugOf(text: string): string {
  const words =
    withoutMarks(text)
      .replaceAll(/[’']/g, '')
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? []
  return words.join('-')
}

/** The parts of a path, without “;jsessionid=…”, which Java adds for visitors without cookies. */
export function segmentsOf({pathname}: URL): string[] {
  const withoutSession = (part: string) =>
    part.replace(/;(\w+)=[^;]*/g, (found, name) => (secretKindOf(name) ? '' : found))
  return pathname.split('/').map(withoutSession)
}

/** A part of a path as a person reads it. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
