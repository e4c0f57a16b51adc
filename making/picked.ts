import {nameFromWords} from './names.ts'

/** An element of a page, described without the page. */
export type Outline = {
  readonly tag: string
  /** Finds it. What is a function takes a while in long pages, and is seldom needed. */
  readonly selector: () => string
  /** Rows of a table, entries of a list, terms of a definition list. */
  readonly entries?: number
  /** Rows of a table, entries of a list, or siblings that are like it, that are a heading and one value, if all of them are, or are one cell. */
  readonly terms?: number
  /** Finds what an entry is in, with its siblings. */
  readonly around?: () => string
  /** Columns of a table with those for where links lead; undefined if it has no links. */
  readonly columns?: () => readonly string[] | undefined
  /** Entries of a list that have a link. */
  readonly links?: number
  /** A selector that finds it and its siblings that are like it, if there are some. */
  readonly similar?: (() => string) | undefined
  /** What each of its siblings that are like it, or of its entries, has. */
  readonly fields?: readonly ProposedField[]
  /** What all of them have alike. */
  readonly same?: readonly ProposedField[]
  /** The heading above it. */
  readonly heading?: () => string
}

/** A field of each entry, as a document has it, with the name that the page suggests. */
export type ProposedField = {
  readonly name: string
  readonly selector: string
  readonly kind: 'text' | 'address' | 'attribute'
  readonly attribute?: string
}

/** A part of a reading, as a document has it, but for `same`. */
export type ProposedPart = {
  readonly name: string
  readonly selector: string
  readonly kind: 'text' | 'table' | 'items' | 'list' | 'definitions' | 'links'
  readonly columns?: readonly string[]
  readonly fields?: readonly ProposedField[]
  /** Fields that are not chosen at first, because all entries have the same. */
  readonly same?: readonly ProposedField[]
  /** Entries that are returned, if they are more than usual. */
  readonly limit?: number
}

/** A way to read an element that a person points at, or what it is in. */
export type Way = {
  readonly kind: ProposedPart['kind']
  readonly outline: Outline
  readonly selector: () => string
}

/**
 * The ways to read what a person points at, the best guess first.
 * @param chain the element, and what it is in, from the inside out
 */
export function waysToRead(chain: readonly Outline[]): Way[] {
  const [own] = chain
  if (own === undefined) return []
  const wayOf = (kind: Way['kind'], outline: Outline, selector = outline.selector): Way => ({
    kind,
    outline,
    selector,
  })
  const link = chain.find(({tag}) => tag === 'a')
  const inside = chain.flatMap((outline): Way[] => {
    const {tag, entries = 0, terms = 0, links, selector, similar, fields = []} = outline
    // One field is a text: a list says it in fewer words.
    const items = (within: () => string) => (fields.length > 1 ? [wayOf('items', outline, within)] : [])
    const facts = terms > 1 ? [wayOf('definitions', outline)] : []
    if (tag === 'table' && entries > 1)
      return [...facts, ...(similar ? items(similar) : []), wayOf('table', outline)]
    if (tag === 'dl' && entries > 0)
      return [
        ...(similar && (entries === 1 || entries === links) ? items(similar) : []),
        wayOf('definitions', outline),
      ]
    if (/^(?:[uo]l|menu)$/.test(tag) && (entries > 1 || fields.length > 1))
      return [
        ...facts,
        ...items(() => `${selector()} > li`),
        ...(links === entries ? [wayOf('links', outline)] : []),
        wayOf('list', outline),
      ]
    const boxes = terms > 1 ? [wayOf('definitions', outline, outline.around)] : []
    return similar ? [...boxes, ...items(similar), wayOf('list', outline, similar)] : []
  })
  // Things that can be opened say more than rows of a label and a value in them.
  const isThing = ({kind, outline}: Way) =>
    kind === 'items' && outline.fields?.some((field) => field.kind === 'address')
  const things = inside.filter(isThing)
  const rest = inside.filter((way) => !things.includes(way))
  return [
    ...things,
    ...(link === undefined || rest.some(({kind}) => kind !== 'list' && kind !== 'items')
      ? []
      : [wayOf('links', link)]),
    ...rest,
    wayOf('text', own),
  ]
}

const USUAL_NAMES: Readonly<Record<ProposedPart['kind'], string>> = {
  table: 'rows',
  items: 'entries',
  definitions: 'facts',
  links: 'links',
  list: 'entries',
  text: 'text',
}

/** What a document says about a way to read. */
export function partOf({kind, outline, selector}: Way): ProposedPart {
  const heading = outline.heading?.() ?? ''
  const columns = kind === 'table' && outline.columns?.()
  const words = heading
    .split(/\s+/)
    .slice(0, 4)
    .join(' ')
    .replace(/(?: (?:and|by|for|in|of|on|the|to|with))+$/, '')
  return {
    name: nameFromWords(words) || USUAL_NAMES[kind],
    selector: selector(),
    kind,
    ...(columns && {columns}),
    ...(kind === 'items' && {fields: outline.fields ?? [], same: outline.same ?? []}),
  }
}
