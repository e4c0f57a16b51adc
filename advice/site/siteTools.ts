import {createParser, render} from 'css-selector-parser'
import type {Fields} from '../../schemas/record.ts'
import {wordsOf} from '../../schemas/rules/names/toolName.ts'
import {expandBraces} from '../../schemas/rules/paths/braces.ts'
import {
  compilePathPattern,
  normalizePath,
  type PathPattern,
  parsePathPattern,
} from '../../schemas/rules/paths/pathPattern.ts'
import {textOf} from '../../schemas/rules/text.ts'

/** A tool or form tool as its neighbours know it. */
export type ToolOfSite = {
  readonly name: string
  readonly description: string
  readonly pattern: string
  /** Of a form tool. */
  readonly selector?: string
}

/** A tool or form tool with the id of its document. */
export type Neighbour = ToolOfSite & {readonly id: string}

/** The enabled tools and form tools among these documents that have a name. */
export function neighboursIn(tools: readonly (Fields & {readonly _id: string})[]): Neighbour[] {
  return tools.flatMap((tool) =>
    tool.enabled === true && typeof tool.name === 'string' ? [{id: tool._id, ...toolOfSite(tool)}] : [],
  )
}

/** What its neighbours know of a tool or form tool. */
export function toolOfSite({name, description, pathPattern, pagePath, selector}: Fields): ToolOfSite {
  return {
    name: textOf(name),
    description: textOf(description),
    pattern: textOf(pathPattern ?? pagePath),
    ...(textOf(selector) !== '' && {selector: textOf(selector).trim()}),
  }
}

type Place = {
  /** One page for each alternative. */
  readonly pages: readonly string[]
  readonly isOn: (page: string) => boolean
}

/** The enabled tools of a site, for advice on how they go together. */
export class SiteTools {
  readonly #tools: ReadonlySet<ToolOfSite>
  readonly #pageTools: readonly string[]
  readonly #places = new Map<string, Place | undefined>()
  readonly #counts = new Map<string, number>()
  readonly #byPlainName: ReadonlyMap<string, readonly ToolOfSite[]>
  readonly #byForm: ReadonlyMap<string, readonly ToolOfSite[]>
  readonly #describedAlike: (tool: ToolOfSite) => ToolOfSite[]
  /** One page for each pattern, and for each of its alternatives. */
  readonly #pages: ReadonlySet<string>

  /** @param pageTools the names of tools that the pages register themselves */
  constructor(tools: readonly ToolOfSite[], pageTools: readonly string[] = []) {
    this.#tools = new Set(tools)
    this.#pageTools = pageTools
    this.#byPlainName = Map.groupBy(tools, ({name}) => plain(name))
    this.#byForm = Map.groupBy(tools, formOf)
    this.#describedAlike = describedAlike(tools)
    this.#pages = new Set(tools.flatMap((tool) => this.#placeOf(tool)?.pages ?? []))
  }

  /** Whether the pages register a tool of this name themselves. */
  isOfPages(name: string): boolean {
    return this.#pageTools.includes(name)
  }

  /** A tool with another name that people would mistake for this one. */
  namedLike(name: string): ToolOfSite | undefined {
    const key = plain(name)
    return key === '' ? undefined : this.#byPlainName.get(key)?.find((other) => other.name !== name)
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

  /** A tool on a page of this one with the same description. */
  describedLike(tool: ToolOfSite): ToolOfSite | undefined {
    return this.#onSamePage(tool, this.#describedAlike(tool))
  }

  /** Another form tool of the same form. */
  ofSameForm(tool: ToolOfSite): ToolOfSite | undefined {
    if (tool.selector === undefined) return undefined
    const others = this.#byForm.get(formOf(tool))?.filter(({name}) => name !== tool.name)
    return this.#onSamePage(tool, others ?? [])
  }

  #onSamePage(tool: ToolOfSite, others: readonly ToolOfSite[]): ToolOfSite | undefined {
    const own = others.length === 0 ? undefined : this.#placeOf(tool)
    if (own === undefined) return undefined
    const pages = this.#pagesOf(own)
    return others.find((other) => {
      const place = this.#placeOf(other)
      return place !== undefined && pages.some(place.isOn)
    })
  }

  /** Pages that the patterns of the site name and that a place covers. */
  #pagesOf({pages, isOn}: Place): string[] {
    return [...new Set([...pages, ...this.#pages])].filter(isOn)
  }

  #countOn(page: string): number {
    const count =
      this.#counts.get(page) ?? [...this.#tools].filter((tool) => this.#placeOf(tool)?.isOn(page)).length
    this.#counts.set(page, count)
    return count
  }

  #placeOf({pattern}: ToolOfSite): Place | undefined {
    if (!this.#places.has(pattern)) {
      const parsed = parsePathPattern(pattern)
      const place = parsed.ok && {pages: pagesOf(parsed.value), isOn: compilePathPattern(parsed.value)}
      this.#places.set(pattern, place || undefined)
    }
    return this.#places.get(pattern)
  }
}

/** One page for each alternative of a pattern, with a word in place of each wildcard. */
function pagesOf({source}: PathPattern): string[] {
  const alternatives = expandBraces(source)
  if (!alternatives.ok) return []
  return alternatives.value.map((path) => normalizePath(path.replace(/\*+/g, 'page').replaceAll('?', 'x')))
}

/** Makes a function that finds the others with the same words in their description. */
export function describedAlike<T extends Described>(tools: readonly T[]): (tool: Described) => T[] {
  const alike = Map.groupBy(tools, wordsIn)
  alike.delete('')
  return (tool) => (alike.get(wordsIn(tool)) ?? []).filter(({name}) => name !== tool.name)
}

const parse = createParser()

/** The selector of a form tool as another one can be compared with it: `form#contact` is `#contact`. */
function formOf({selector = ''}: ToolOfSite): string {
  try {
    const {rules} = parse(selector)
    for (const rule of rules) {
      let last = rule
      while (last.nestedRule) last = last.nestedRule
      const items = last.items.filter((item) => item.type !== 'TagName' || item.name.toLowerCase() !== 'form')
      if (items.length > 0) last.items = items
    }
    return rules.map(render).sort().join()
  } catch {
    return selector
  }
}

type Described = Pick<ToolOfSite, 'name' | 'description'>

function wordsIn({description}: Described): string {
  return wordsOf(description.toLowerCase()).join(' ')
}

/** A name without what people overlook: case, dots and dashes. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_.-]/g, '')
}
