import {CONSUMERS, type Consumer} from '../../agents/consumers.ts'
import {nameFor} from '../../agents/listings.ts'
import {expandBraces} from '../../rules/paths/braces.ts'
import {
  compilePathPattern,
  normalizePath,
  type PathPattern,
  parsePathPattern,
} from '../../rules/paths/pathPattern.ts'
import {SimilarDescriptions} from './similarity.ts'

/** A tool or form tool as its neighbours know it. */
export type ToolOfSite = {
  readonly name: string
  readonly description: string
  readonly pattern: string
  readonly title?: string
}

/** More pages than this are not checked: a site with so many patterns has found its own order. */
const MOST_PAGES = 500

/** The first segment of a pattern that matches any first segment. */
const ANY = ''

type Place = {
  /** One page for each alternative. */
  readonly pages: readonly string[]
  /** The first segments of the pages that it matches. */
  readonly firstSegments: ReadonlySet<string>
  readonly isOn: (page: string) => boolean
}

/**
 * The enabled tools of a site, indexed for advice on how they go together. Comparing each tool with each other
 * one would take minutes for thousands of them.
 */
export class SiteTools {
  readonly #tools: ReadonlySet<ToolOfSite>
  readonly #pageTools: readonly string[]
  readonly #places = new Map<string, Place | undefined>()
  readonly #counts = new Map<string, number>()
  #index: Index | undefined

  /** @param pageTools the names of tools that the pages register themselves */
  constructor(tools: readonly ToolOfSite[], pageTools: readonly string[] = []) {
    this.#tools = new Set(tools)
    this.#pageTools = pageTools
  }

  /** Whether the pages register a tool of this name themselves. */
  isOfPages(name: string): boolean {
    return this.#pageTools.includes(name)
  }

  /** A tool with another name that people would mistake for this one. */
  namedLike(name: string): ToolOfSite | undefined {
    const key = plain(name)
    if (key === '') return undefined
    return this.#indexed()
      .byPlainName.get(key)
      ?.find((other) => other.name !== name)
  }

  /** A tool with another name and the same title. */
  titledLike({name, title}: ToolOfSite): ToolOfSite | undefined {
    if (title === undefined || title === '') return undefined
    return this.#indexed()
      .byTitle.get(title)
      ?.find((other) => other.name !== name)
  }

  /** A tool with another name that an agent lists under the same name, and the title of that agent. */
  sameForAgents(name: string): (ToolOfSite & {readonly agent: string}) | undefined {
    for (const consumer of RENAMING) {
      const others = this.#indexed().byListedName.get(listedName(consumer, name)) ?? []
      const same = others.find((other) => other.name !== name)
      if (same !== undefined) return {...same, agent: consumer.title}
    }
    return undefined
  }

  /** Whether the pattern of another tool of the site has a property. */
  hasOtherPattern(tool: ToolOfSite, property: 'questionMark' | 'upperCase'): boolean {
    const tools = this.#indexed()[property]
    return tools.size > (tools.has(tool) ? 1 : 0)
  }

  /** Whether there are other tools. */
  hasOthers(tool: ToolOfSite): boolean {
    return this.#tools.size > (this.#tools.has(tool) ? 1 : 0)
  }

  /** The page with the most tools among those of a tool, including that tool. Undefined if its pattern is invalid. */
  fullestPage(tool: ToolOfSite): {readonly page: string; readonly count: number} | undefined {
    const own = this.#placeOf(tool)
    if (own === undefined) return undefined
    let fullest = {page: '', count: 0}
    for (const page of this.#pagesOf(own)) {
      const count = this.#countOn(page) + (this.#tools.has(tool) ? 0 : 1)
      if (count > fullest.count) fullest = {page, count}
    }
    return fullest
  }

  /** A tool on a page of this one with nearly the same description. */
  describedLike(tool: ToolOfSite): ToolOfSite | undefined {
    const own = this.#placeOf(tool)
    if (own === undefined) return undefined
    const pages = this.#pagesOf(own)
    for (const other of this.#indexed().descriptions.similarTo(tool)) {
      const place = this.#placeOf(other)
      if (place !== undefined && pages.some(place.isOn)) return other
    }
    return undefined
  }

  /** Pages that the patterns of the site name and that a place covers. */
  #pagesOf(own: Place): string[] {
    const {pagesBySegment} = this.#indexed()
    const segments = own.firstSegments.has(ANY) ? [...pagesBySegment.keys()] : [...own.firstSegments]
    const pages = new Set(own.pages.filter(own.isOn))
    for (const segment of segments) {
      for (const page of pagesBySegment.get(segment) ?? []) {
        if (pages.size >= MOST_PAGES) return [...pages]
        if (own.isOn(page)) pages.add(page)
      }
    }
    return [...pages]
  }

  #countOn(page: string): number {
    const known = this.#counts.get(page)
    if (known !== undefined) return known
    const {placesBySegment} = this.#indexed()
    const places = [firstSegmentOf(page), ANY].flatMap((segment) => placesBySegment.get(segment) ?? [])
    const count = [...new Set(places)].reduce((sum, {isOn, tools}) => sum + (isOn(page) ? tools : 0), 0)
    this.#counts.set(page, count)
    return count
  }

  #placeOf({pattern}: ToolOfSite): Place | undefined {
    if (!this.#places.has(pattern)) {
      const parsed = parsePathPattern(pattern)
      this.#places.set(pattern, parsed.ok ? placeOf(parsed.value) : undefined)
    }
    return this.#places.get(pattern)
  }

  #indexed(): Index {
    this.#index ??= this.#buildIndex()
    return this.#index
  }

  #buildIndex(): Index {
    const tools = [...this.#tools]
    const byPattern = Map.groupBy(tools, ({pattern}) => pattern)
    const places = [...byPattern.values()].flatMap((group) => {
      const place = group[0] && this.#placeOf(group[0])
      return place === undefined ? [] : [{...place, tools: group.length}]
    })
    return {
      byPlainName: Map.groupBy(tools, ({name}) => plain(name)),
      byListedName: groupByListedName(tools),
      byTitle: Map.groupBy(tools, ({title}) => title),
      questionMark: new Set(tools.filter(({pattern}) => pattern.includes('?'))),
      upperCase: new Set(tools.filter(({pattern}) => hasUpperCase(pattern))),
      descriptions: new SimilarDescriptions(tools),
      pagesBySegment: Map.groupBy(new Set(places.flatMap(({pages}) => pages)), firstSegmentOf),
      placesBySegment: groupBySegment(places),
    }
  }
}

type CountedPlace = Place & {readonly tools: number}

type Index = {
  readonly byPlainName: ReadonlyMap<string, readonly ToolOfSite[]>
  readonly byListedName: ReadonlyMap<string, readonly ToolOfSite[]>
  readonly byTitle: ReadonlyMap<string | undefined, readonly ToolOfSite[]>
  readonly questionMark: ReadonlySet<ToolOfSite>
  readonly upperCase: ReadonlySet<ToolOfSite>
  readonly descriptions: SimilarDescriptions<ToolOfSite>
  readonly pagesBySegment: ReadonlyMap<string, readonly string[]>
  readonly placesBySegment: ReadonlyMap<string, readonly CountedPlace[]>
}

/** The agents that change names. */
const RENAMING = CONSUMERS.filter(({naming}) => naming !== undefined)

function listedName(consumer: Consumer, name: string): string {
  return `${consumer.id} ${nameFor(consumer, name)}`
}

function groupByListedName(tools: readonly ToolOfSite[]): Map<string, ToolOfSite[]> {
  const groups = new Map<string, ToolOfSite[]>()
  for (const tool of tools) {
    for (const consumer of RENAMING) {
      const key = listedName(consumer, tool.name)
      groups.set(key, [...(groups.get(key) ?? []), tool])
    }
  }
  return groups
}

function groupBySegment(places: readonly CountedPlace[]): Map<string, CountedPlace[]> {
  const groups = new Map<string, CountedPlace[]>()
  for (const place of places) {
    for (const segment of place.firstSegments) groups.set(segment, [...(groups.get(segment) ?? []), place])
  }
  return groups
}

function placeOf(pattern: PathPattern): Place {
  const globs = pattern.globs.map(({head: [first]}) => (typeof first === 'string' ? first : ANY))
  return {
    pages: pagesOf(pattern),
    firstSegments: new Set([...pattern.literals.map(firstSegmentOf), ...globs]),
    isOn: compilePathPattern(pattern),
  }
}

/** One page for each alternative of a pattern, with a word in place of each wildcard. */
function pagesOf({source}: PathPattern): string[] {
  const alternatives = expandBraces(source)
  if (!alternatives.ok) return []
  return alternatives.value.map((path) => normalizePath(path.replace(/\*+/g, 'page').replaceAll('?', 'x')))
}

function firstSegmentOf(page: string): string {
  return page.split('/', 2)[1] ?? ''
}

/** A name without what people overlook: case, dots and dashes. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_.-]/g, '')
}

/** Whether a pattern has upper case letters, other than as digits of a percent escape. */
function hasUpperCase(pattern: string): boolean {
  return /[A-Z]/.test(withoutEscapes(pattern))
}

/** A pattern with underscores for its percent escapes, whose digits may be letters. */
export function withoutEscapes(pattern: string): string {
  return pattern.replace(/%[0-9a-f]{2}/gi, '___')
}
