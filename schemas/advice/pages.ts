import {wordsOf} from '../rules/names/words.ts'
import {expandBraces} from '../rules/paths/braces.ts'
import {
  compilePathPattern,
  normalizePath,
  type PathPattern,
  parsePathPattern,
} from '../rules/paths/pathPattern.ts'
import {type Advice, advise} from './advice.ts'

/** The recommended maximum of tools on one page, and the number that agents can no longer handle. */
const MANY_TOOLS = 20
const TOO_MANY_TOOLS = 40

/** What advice about a page needs to know of a tool. */
export type ToolOnPage = {readonly id: string; readonly name: string; readonly description: string}

/**
 * Advice on the tools that one page offers together, by the id of the tool it is about; `undefined`: the
 * page.
 */
export function advisePage(
  path: string,
  tools: readonly ToolOnPage[],
): {id: string | undefined; advice: Advice}[] {
  const number = adviseNumber(path, tools.length, 'pathPattern').map((advice) => ({id: undefined, advice}))
  const described = tools.map(wordsIn)
  const similar = tools.flatMap(({id}, at) => {
    const [own, ...others] = [...described.slice(at), ...described.slice(0, at)]
    return own === undefined ? [] : adviseTwin(own, others).map((advice) => ({id, advice}))
  })
  return [...number, ...similar]
}

/** A tool or form tool as its neighbours know it. */
export type ToolOfSite = {readonly name: string; readonly description: string; readonly pattern: string}

/** More pages than this are not checked: a site with so many patterns has found its own order. */
const MOST_PAGES = 500

/**
 * Advice on one tool, about the pages that it shares with the site's other tools.
 * @param field the field with its pattern
 * @param others the site's other enabled tools
 */
export function adviseOnPages(tool: ToolOfSite, field: string, others: readonly ToolOfSite[]): Advice[] {
  const own = parsePathPattern(tool.pattern)
  if (!own.ok || others.length === 0) return []
  const neighbours = others.flatMap((other) => {
    const parsed = parsePathPattern(other.pattern)
    return parsed.ok ? [{other, pages: pagesOf(parsed.value), isOn: compilePathPattern(parsed.value)}] : []
  })
  const isOwn = compilePathPattern(own.value)
  const pages = new Set([...pagesOf(own.value), ...neighbours.flatMap(({pages}) => pages)].filter(isOwn))
  const shared = new Set<ToolOfSite>()
  let fullest = {page: '', count: 0}
  for (const page of [...pages].slice(0, MOST_PAGES)) {
    const there = neighbours.filter(({isOn}) => isOn(page))
    for (const {other} of there) shared.add(other)
    if (there.length + 1 > fullest.count) fullest = {page, count: there.length + 1}
  }
  return [
    ...adviseNumber(`A page such as ${fullest.page}`, fullest.count, field),
    ...adviseTwin(wordsIn(tool), [...shared].map(wordsIn)),
  ]
}

/** One page for each alternative of a pattern, with a word in place of each wildcard. */
function pagesOf({source}: PathPattern): string[] {
  const alternatives = expandBraces(source)
  if (!alternatives.ok) return []
  return alternatives.value.map((path) => normalizePath(path.replace(/\*+/g, 'page').replaceAll('?', 'x')))
}

function adviseNumber(page: string, count: number, field: string): Advice[] {
  if (count <= MANY_TOOLS) return []
  const remedy = 'Restrict tools to the pages on which visitors need them.'
  if (count > TOO_MANY_TOOLS) {
    const message = `${page} offers ${count} tools. With more than ${TOO_MANY_TOOLS}, some agents ignore all of them. ${remedy}`
    return [advise('TOOLS_TOO_MANY', field, message)]
  }
  const message = `${page} offers ${count} tools. Agents choose better from ${MANY_TOOLS} or fewer. ${remedy}`
  return [advise('TOOLS_MANY', field, message)]
}

/** The share of common words in two descriptions above which agents confuse the two tools. */
const SIMILAR = 0.8

type Described = {readonly name: string; readonly words: ReadonlySet<string>}

function wordsIn({name, description}: {name: string; description: string}): Described {
  return {name, words: new Set(wordsOf(description).map((word) => word.toLowerCase()))}
}

function adviseTwin(tool: Described, others: readonly Described[]): Advice[] {
  const twin = others.find((other) => similarity(tool.words, other.words) >= SIMILAR)
  if (twin === undefined) return []
  const message = `The description is nearly the same as that of “${twin.name}”, which is on the same page. Agents cannot tell the two apart: say when to use which.`
  return [advise('DESCRIPTION_SIMILAR', 'description', message)]
}

/** Jaccard's index: the words in both over the words in either. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size < 3 || other.size < 3) return 0
  const both = [...one].filter((word) => other.has(word)).length
  return both / (one.size + other.size - both)
}
