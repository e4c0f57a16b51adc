import {nameFromWords} from './names.ts'

/** An element of a page, described without the page. */
export type Outline = {
  readonly tag: string
  /** Finds it. */
  readonly selector: string
  /** Rows of a table, entries of a list, terms of a definition list. */
  readonly entries?: number
  /** Rows of a table, or entries of a list, that are a heading and one value, if all of them are, or are one cell. */
  readonly terms?: number
  /** Columns of a table with those for where links lead; undefined if it has no links. */
  readonly columns?: readonly string[] | undefined
  /** Entries of a list that have a link. */
  readonly links?: number
  /** A selector that finds it and its siblings that are like it, if there are some. */
  readonly similar?: string | undefined
  /** What each of its siblings that are like it, or of its entries, has. */
  readonly fields?: readonly ProposedField[]
  /** What all of them have alike. */
  readonly same?: readonly ProposedField[]
  /** The heading above it. */
  readonly heading?: string
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

/**
 * What a person who points at an element may want to read, the best guess first.
 * @param chain the element, and what it is in, from the inside out
 */
export function proposeParts(chain: readonly Outline[]): ProposedPart[] {
  const [own] = chain
  if (own === undefined) return []
  const link = chain.find(({tag}) => tag === 'a')
  const inside = chain.flatMap((outline): ProposedPart[] => {
    const {tag, entries = 0, terms = 0, columns, links, similar, fields = [], same = []} = outline
    // One field is a text: a list says it in fewer words.
    const items = (selector: string): ProposedPart[] =>
      fields.length > 1 ? [{...partOf('items', outline), selector, fields, same}] : []
    if (tag === 'table' && entries > 1) {
      const table = {...partOf('table', outline), ...(columns && {columns})}
      return terms > 1 ? [partOf('definitions', outline), table] : [table]
    }
    if (tag === 'dl' && entries > 0)
      return [
        ...(similar && (entries === 1 || entries === links) ? items(similar) : []),
        partOf('definitions', outline),
      ]
    if (/^(?:[uo]l|menu)$/.test(tag) && (entries > 1 || fields.length > 1))
      return [
        ...(terms > 1 ? [partOf('definitions', outline)] : []),
        ...items(`${outline.selector} > li`),
        ...(links === entries ? [partOf('links', outline)] : []),
        partOf('list', outline),
      ]
    if (similar === undefined) return []
    return [...items(similar), {...partOf('list', outline), selector: similar}]
  })
  // Things that can be opened say more than rows of a label and a value in them.
  const things = inside.filter(({fields}) => fields?.some(({kind}) => kind === 'address'))
  const rest = inside.filter((part) => !things.includes(part))
  return [
    ...things,
    ...(link === undefined || rest.some(({kind}) => kind !== 'list' && kind !== 'items')
      ? []
      : [partOf('links', link)]),
    ...rest,
    partOf('text', own),
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

function partOf(kind: ProposedPart['kind'], {selector, heading = ''}: Outline): ProposedPart {
  const words = heading
    .split(/\s+/)
    .slice(0, 4)
    .join(' ')
    .replace(/(?: (?:and|by|for|in|of|on|the|to|with))+$/, '')
  return {name: nameFromWords(words) || USUAL_NAMES[kind], selector, kind}
}
