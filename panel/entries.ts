import type {PreviewedTool} from '../schemas/preview.ts'
import {isRecord} from '../schemas/record.ts'
import {textOf} from '../schemas/rules/text.ts'
import {servedIn} from '../schemas/served.ts'
import {all, getAttribute} from '../snippet/page.ts'
import {type RegisteredTool, windowOf} from '../snippet/webmcp.ts'
import {pagePath} from './pagePath.ts'
import type {Panel} from './panel.ts'
import type {PanelSite} from './panelSite.ts'

/** A tool that an agent finds on the page. */
export type Present = {
  readonly name: string
  readonly tool: RegisteredTool
  /** The form of the page that it is. */
  readonly form: HTMLFormElement | undefined
  /** The site that offers it; undefined if the page registered it itself. */
  readonly site: PanelSite | undefined
  readonly draft: PreviewedTool | undefined
}

/** A tool that an agent does not find on the page. */
export type Missing = Pick<PreviewedTool, 'name' | 'title' | 'reasons' | 'advice'> & {
  readonly site: PanelSite
  readonly draft: PreviewedTool | undefined
}

/** A tool of the preview that has tests. */
export type TestedTool = {
  readonly draft: PreviewedTool
  /** Undefined: the tool is not on the page, and `reason` may say why. */
  readonly present: Present | undefined
  readonly reason: string
  /** Empty: it is not known, or the tool is a form. */
  readonly script: string
  /** Undefined: the tool has none. */
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined
  /** Whether the page asks the visitor before a call. Undefined: it is not known. */
  readonly asks: boolean | undefined
  /** Differs for each state of the tool. */
  readonly version: string
}

/** The tools of the page, by their names; those of the page itself and of frames come last. */
export function presentTools({tools, sites}: Panel): Present[] {
  const present = tools.map((tool) => {
    const {name} = tool
    // Tools of frames may have the same names.
    const isHere = windowOf(tool) === window
    const site = isHere ? sites.find((known) => offers(known, name)) : undefined
    const form = isHere ? findForm(name) : undefined
    const draft = site?.drafts?.tools.find((known) => known.isOffered && known.name === name)
    return {name, tool, form, site, draft}
  })
  return present.sort(
    (one, other) => Number(!one.site) - Number(!other.site) || one.name.localeCompare(other.name),
  )
}

function findForm(name: string): HTMLFormElement | undefined {
  return all<HTMLFormElement>('form').find((form) => getAttribute.call(form, 'toolname') === name)
}

/** The tools of the page's sites that are not on the page. */
export function missingTools({sites}: Panel): Missing[] {
  return sites.flatMap((site) => [...unregistered(site), ...notOffered(site)])
}

/** What the config has, and the page does not. */
function unregistered(site: PanelSite): Missing[] {
  return Object.entries(site.state?.problems ?? {}).map(([name, problem]) => {
    const draft = site.drafts?.tools.find((known) => known.isOffered && known.name === name)
    const title = /^the page (has|changes)/.test(problem) ? 'Not here' : 'Problem'
    return {name, title, reasons: [sentence(problem)], advice: draft?.advice ?? [], site, draft}
  })
}

/** What the config does not have. */
function notOffered(site: PanelSite): Missing[] {
  const {drafts, names = []} = site
  if (drafts)
    return drafts.tools.filter(({isOffered}) => !isOffered).map((draft) => ({...draft, site, draft}))
  return names
    .filter((name) => !offers(site, name) && !(name in (site.state?.problems ?? {})))
    .map((name) => ({
      name,
      title: 'Other pages',
      reasons: [`This tool is offered on other pages than ${pagePath()}.`],
      advice: [],
      site,
      draft: undefined,
    }))
}

function offers({state}: PanelSite, name: string): boolean {
  return state !== undefined && [...state.tools, ...state.forms].includes(name)
}

function sentence(text: string): string {
  const [first, ...rest] = text
  if (first === undefined) return ''
  return first.toUpperCase() + rest.join('') + (text.endsWith('.') ? '' : '.')
}

/** The tools whose tests a preview has. */
export function testedTools({sites}: Panel, present: readonly Present[]): TestedTool[] {
  return sites.flatMap((site) => {
    const {drafts, waiting, state} = site
    const tested = (drafts ?? waiting)?.tools.filter((tool) => tool.tests.length > 0 || tool.testsProblem)
    return (tested ?? []).map((draft) => {
      const {name, reasons} = draft
      const served = servedIn(drafts?.config).find((known) => known.name === name)
      const {executeJs, askBefore, outputSchema} = served?.members ?? {}
      return {
        draft,
        present: present.find((known) => known.site === site && known.name === name),
        reason: sentence(state?.problems[name] ?? reasons[0] ?? ''),
        script: textOf(executeJs),
        asks: drafts ? !!askBefore : undefined,
        // Of a draft that waits, anything matches.
        outputSchema: drafts === undefined ? {} : isRecord(outputSchema) ? outputSchema : undefined,
        version: JSON.stringify(served?.members),
      }
    })
  })
}
