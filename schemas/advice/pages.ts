import {wordsOf} from '../rules/names/words.ts'
import {type Advice, advise} from './advice.ts'

/** The recommended maximum of tools on one page, and the number that agents can no longer handle. */
export const MANY_TOOLS = 20
export const TOO_MANY_TOOLS = 40

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
  return [...adviseNumber(path, tools.length), ...adviseSimilar(tools)]
}

function adviseNumber(path: string, count: number): {id: undefined; advice: Advice}[] {
  if (count <= MANY_TOOLS) return []
  const remedy = 'Restrict tools to the pages on which visitors need them.'
  if (count > TOO_MANY_TOOLS) {
    const message = `${path} offers ${count} tools. With more than ${TOO_MANY_TOOLS}, some agents ignore all of them. ${remedy}`
    return [{id: undefined, advice: advise('TOOLS_TOO_MANY', 'pathPattern', message)}]
  }
  const message = `${path} offers ${count} tools. Agents choose better from ${MANY_TOOLS} or fewer. ${remedy}`
  return [{id: undefined, advice: advise('TOOLS_MANY', 'pathPattern', message)}]
}

/** The share of common words in two descriptions above which agents confuse the two tools. */
const SIMILAR = 0.8

function adviseSimilar(tools: readonly ToolOnPage[]): {id: string; advice: Advice}[] {
  const words = tools.map(({description}) => wordsIn(description))
  return tools.flatMap((tool, at) => {
    const own = words[at] ?? new Set()
    const twin = tools.find(
      (_other, index) => index !== at && similarity(own, words[index] ?? new Set()) >= SIMILAR,
    )
    if (twin === undefined) return []
    const message = `The description is nearly the same as that of “${twin.name}”, which is on the same page. Agents cannot tell the two apart: say when to use which.`
    return [{id: tool.id, advice: advise('DESCRIPTION_SIMILAR', 'description', message)}]
  })
}

function wordsIn(text: string): Set<string> {
  return new Set(wordsOf(text).map((word) => word.toLowerCase()))
}

/** Jaccard's index: the words in both over the words in either. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size < 3 || other.size < 3) return 0
  const both = [...one].filter((word) => other.has(word)).length
  return both / (one.size + other.size - both)
}
