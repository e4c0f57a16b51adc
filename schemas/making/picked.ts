import {nameFromWords} from './names.ts'

/** An element of a page, described without the page. */
export type Outline = {
  readonly tag: string
  /** Finds it. */
  readonly selector: string
  /** Rows of a table, entries of a list, terms of a definition list. */
  readonly entries?: number
  /** Entries of a list that have a link. */
  readonly links?: number
  /** A selector that finds it and its siblings that are like it, if there are some. */
  readonly similar?: string | undefined
  /** The heading above it. */
  readonly heading?: string
}

/** A part of a reading, as a document has it. */
export type ProposedPart = {
  readonly name: string
  readonly selector: string
  readonly kind: 'text' | 'table' | 'list' | 'definitions' | 'links'
  readonly columns?: readonly string[]
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
    const {tag, entries = 0, links, similar} = outline
    if (tag === 'table' && entries > 1) return [partOf('table', outline)]
    if (tag === 'dl' && entries > 0) return [partOf('definitions', outline)]
    if (/^(?:[uo]l|menu)$/.test(tag) && entries > 1)
      return [...(links === entries ? [partOf('links', outline)] : []), partOf('list', outline)]
    if (similar === undefined) return []
    return [{...partOf('list', outline), selector: similar}]
  })
  return [
    ...(link === undefined || inside.some(({kind}) => kind !== 'list') ? [] : [partOf('links', link)]),
    ...inside,
    partOf('text', own),
  ]
}

const USUAL_NAMES: Readonly<Record<ProposedPart['kind'], string>> = {
  table: 'rows',
  definitions: 'facts',
  links: 'links',
  list: 'entries',
  text: 'text',
}

function partOf(kind: ProposedPart['kind'], {selector, heading = ''}: Outline): ProposedPart {
  const words = heading.split(/\s+/).slice(0, 4).join(' ')
  return {name: nameFromWords(words) || USUAL_NAMES[kind], selector, kind}
}
