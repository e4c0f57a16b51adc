import {MAX_CHARACTERS, MAX_LOOKED_AT, MAX_PARTS, MAX_READ, MAX_TERMS} from '../bounds.ts'
import {cut} from '../json.ts'
import type {FieldPlan, PartPlan} from '../plan.ts'
import {rest} from './otherPages.ts'
import {allColumns, chosenColumns, readTable, type rowsOfAny} from './tables.ts'
import {entryText, isShown, MAX_WHOLE, textOf} from './texts.ts'

/** Finds elements. */
export type Find = (root: Document | Element, selector: string) => Element[]

/** Reads a part of the elements that its selector finds. */
type ReadPart<Kind extends PartPlan['kind']> = (
  found: readonly Element[],
  part: Extract<PartPlan, {readonly kind: Kind}>,
  readers: PartReaders,
) => unknown

/** The functions that read a page, of which a tool has those that it needs. */
export type PartReaders = {readonly findAll: Find; readonly rowsOf?: typeof rowsOfAny} & {
  readonly [Kind in PartPlan['kind']]?: ReadPart<Kind>
}

/** The parts that are read of a page, with the functions that they need. */
type ReadCall = PartReaders & {readonly parts: readonly PartPlan[]; readonly document: Document}

/** What a tool reads, by the names of the parts. */
export type Found = Record<string, unknown>

/** Reads a part of a page, with a list as long as it is. */
export function readOne(part: PartPlan, call: ReadCall): unknown {
  return Object(call)[part.kind](call.findAll(call.document, part.selector), part, call) ?? null
}

/** The parts of a page. Between them, the browser does what waits, and the signal ends the work. */
export async function readParts(call: ReadCall & {readonly signal: AbortSignal}): Promise<Found> {
  const found: Found = {}
  for (const part of call.parts) {
    await rest(call)
    found[part.name] = readOne(part, call)
  }
  return found
}

function shownOf(found: readonly Element[]): Element | undefined {
  return found.find(isShown) ?? found[0]
}

/** Cuts the lists that were read, where they are: a long text may be in each row, and null is only counted. */
export function cutLists(found: Found, parts: readonly PartPlan[]): Found {
  for (const part of parts) {
    const list = found[part.name]
    if ('limit' in part && Array.isArray(list))
      found[part.name] = cut(
        list,
        [...list, null].findIndex(
          (one, at) =>
            one === null || at === part.limit || JSON.stringify(list.slice(0, at)).length > MAX_CHARACTERS,
        ),
      )
  }
  return found
}

/** Whether nothing was read. */
export function isEmpty(found: Found): boolean {
  return Object.values(found).every((part) => Object.keys(part ?? {}).length === 0)
}

/** Finds elements of the page itself. */
export const find: Find = (root, selector) => [...root.querySelectorAll(selector)]

/** Finds elements also in open shadow roots: “>>>” leads from an element into its own, “+ dd .by” from one to the next. */
export const findDeep: Find = (root, selector) => {
  if (selector.startsWith('+ ')) {
    const within = selector.replace(/^\+ \S+ ?/, '')
    const next: Element[] = [Object(root).nextElementSibling ?? []].flat()
    return within ? next.flatMap((place) => findDeep(place, within)) : next
  }
  const start: (Document | Element | ShadowRoot)[] = [root]
  const found = selector.split('>>>').reduce((places, step) => {
    const rootOf = (place: Document | Element | ShadowRoot) =>
      'shadowRoot' in place ? place.shadowRoot : null
    return step.trim()
      ? places.flatMap((one) => [...((one !== root && rootOf(one)) || one).querySelectorAll(step)])
      : places.flatMap((one) => rootOf(one) ?? [])
  }, start)
  return found.filter((one) => 'localName' in one)
}

/** The text of an element. */
export const readText: ReadPart<'text'> = (found) => {
  const element = shownOf(found)
  return element && textOf(element)
}

/** An attribute of an element. */
export const readAttribute: ReadPart<'attribute'> = (found, {attribute}) =>
  shownOf(found)?.getAttribute(attribute)

/** The rows of a table. */
export const readRows: ReadPart<'table'> = (found, _, {rowsOf}) => {
  const element = shownOf(found)
  return element && readTable(element, allColumns, rowsOf)
}

/** The rows of a table, with the columns that the part names. */
export const readColumns: ReadPart<'table'> = (found, part, readers) => {
  const {columns} = part
  if (!columns) return readRows(found, part, readers)
  const element = shownOf(found)
  // On the screen, a style may write headings in capitals, and hide arrows.
  const keptAs = (name: string) => columns.find((column) => bare(column) === bare(name))
  return element && readTable(element, chosenColumns(keptAs), readers.rowsOf)
}

function bare(heading: string): string {
  return heading.toLowerCase().replace(/\s*[\p{So}\p{Sm}]+/gu, '')
}

/** Reads the first entries that are shown; null: another one. */
function readFirst<T extends Element, Read>(
  entries: readonly T[],
  read: (entry: T) => Read,
  isEntry: (entry: T, at: number) => boolean = isShown,
): (Read | null)[] {
  return entries.filter(isEntry).map((entry, at) => (at < MAX_READ ? read(entry) : null))
}

/** The texts of the entries of lists, or of elements. */
export const readList: ReadPart<'list'> = (elements) =>
  readFirst(
    elements.flatMap((element) => (element.matches('ul, ol, menu') ? [...element.children] : [element])),
    entryText,
  )

/** Elements of one kind, such as cards, as objects; null where one lacks a field. */
export const readItems: ReadPart<'items'> = (items, {fields}, {findAll}) =>
  readFirst(items, (item) =>
    Object.fromEntries(
      fields.map((field) => {
        const element = field.within === '' ? item : findAll(item, field.within)[0]
        return [field.name, element ? readField(element, field) : null]
      }),
    ),
  )

function readField(element: Element, field: FieldPlan): string | null {
  if (field.kind === 'attribute') return element.getAttribute(field.attribute)
  if (field.kind === 'address') return hrefOf(element)
  return field.within === '' ? entryText(element) : textOf(element)
}

function hrefOf(element: Element): string | null {
  return Object(element).href ?? null
}

/** The links in elements, and those that are links. */
export const readLinks: ReadPart<'links'> = (elements) =>
  readFirst(
    elements.flatMap((one) => (one.matches('a[href]') ? [one] : [...one.querySelectorAll('a[href]')])),
    (link) => ({text: textOf(link), address: hrefOf(link)}),
    (link, at) => at > MAX_LOOKED_AT || (/^https?:/.test(hrefOf(link) ?? '') && isShown(link)),
  )

/**
 * The texts of a definition list, of a table with headings or labels in its rows, or of what has entries that begin with
 * one, by their terms. Links to change them are none.
 */
export const readDefinitions: ReadPart<'definitions'> = (found) => {
  const element = shownOf(found)
  if (!element) return undefined
  const definitions: Record<string, string> = Object.create(null)
  const entries = element.querySelector('dt, th, td') ? [] : [...element.children]
  const parts = [
    ...(element.closest('dl') ?? element).querySelectorAll('dt, dd:not([class*=action]), th, td'),
  ]
  let left = MAX_CHARACTERS
  const add = (term: string, text: string) => {
    left -= term.length + text.length
    if (left > 0) definitions[term] = text
  }
  for (const {textContent} of entries.slice(0, MAX_PARTS)) {
    const text = textContent.slice(0, MAX_WHOLE).trim().replace(/\s+/g, ' ')
    const [, term, value = ''] = /^(.+?) ?[:：] ?(.+)/.exec(text) ?? []
    if (term) add(term, value)
  }
  let terms: string[] = []
  let isAfterTerm = false
  for (const part of parts.slice(0, MAX_PARTS)) {
    // What is alone in a row is a title of others, or belongs to the label before it.
    if (!isAfterTerm && part.matches('[colspan]:only-child')) continue
    const whole = textOf(part)
    const isTerm =
      part.matches('dt, th, td:nth-child(odd):nth-last-child(even)') ||
      (part.matches('td:only-child') && /[:：]$/.test(whole))
    const text = whole.replace(isTerm ? /\s*[:：]$/ : '', '')
    if (isTerm) terms = isAfterTerm ? [...terms, text].slice(-MAX_TERMS) : [text]
    else for (const term of terms) add(term, definitions[term] ? `${definitions[term]}; ${text}` : text)
    isAfterTerm = isTerm
  }
  if (left < 0 || entries[MAX_PARTS] || parts[MAX_PARTS]) definitions['…'] = 'more not shown'
  return definitions
}
