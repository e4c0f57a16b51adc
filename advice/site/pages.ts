import {type Advice, advise} from '../advice.ts'
import {adviseForm} from '../documents.ts'
import {describedAlike, type SiteTools, type ToolOfSite} from './siteTools.ts'

/** The recommended maximum of tools on one page, and the number that agents can no longer handle. */
const MANY_TOOLS = 20
const TOO_MANY_TOOLS = 40

/** What advice about a page needs to know of a tool. */
type ToolOnPage = {readonly id: string; readonly name: string; readonly description: string}

/**
 * Advice on the tools that one page offers together, by the id of the tool it is about; `undefined`: the
 * page.
 */
export function advisePage(
  path: string,
  tools: readonly ToolOnPage[],
): {readonly id: string | undefined; readonly advice: Advice}[] {
  const number = adviseNumber(path, tools.length, 'pathPattern').map((advice) => ({id: undefined, advice}))
  const twinsOf = describedAlike(tools)
  const similar = tools.flatMap((tool) => {
    const [twin] = twinsOf(tool)
    return adviseTwin(twin).map((advice) => ({id: tool.id, advice}))
  })
  return [...number, ...similar]
}

/**
 * Advice on one tool, about the pages that it shares with the site's other tools.
 * @param field the field with its pattern
 * @param site the site's enabled tools. This one may be among them.
 */
export function adviseOnPages(tool: ToolOfSite, field: string, site: SiteTools): Advice[] {
  const fullest = site.fullestPage(tool)
  if (fullest === undefined || !site.hasOthers(tool)) return []
  return [
    ...adviseNumber(`A page such as ${fullest.page}`, fullest.count, field),
    ...adviseTwin(site.describedLike(tool)),
    ...adviseForm(site.ofSameForm(tool)),
  ]
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

function adviseTwin(twin: {readonly name: string} | undefined): Advice[] {
  if (twin === undefined) return []
  const message = `The description is the same as that of “${twin.name}”, which is on the same page. Agents cannot tell the two apart: say when to use which.`
  return [advise('DESCRIPTION_SIMILAR', 'description', message)]
}
