import type {Advice} from '../../../advice/advice.ts'
import {neighboursIn, SiteTools, toolOfSite} from '../../../advice/site/siteTools.ts'
import {adviseAlone, adviseAmong} from '../../../advice/tool.ts'
import type {StoredDocument} from '../../../schemas/documents.ts'
import type {PreviewedAdvice} from '../../../schemas/preview.ts'
import {textOf} from '../../../schemas/rules/text.ts'

/** Longer scripts get no advice here, in characters: analysing them takes the square of their length. */
const MAX_SCRIPT = 20_000

/** The advice on a tool. */
export type AdviseDraft = (tool: StoredDocument) => readonly PreviewedAdvice[]

/** Advises on the tools of a site with its drafts applied. */
export function draftAdvisor(tools: readonly StoredDocument[]): AdviseDraft {
  const neighbours = neighboursIn(tools)
  const site = new SiteTools(neighbours)
  return (tool) => {
    const own = neighbours.find(({id}) => id === tool._id) ?? toolOfSite(tool)
    const script = textOf(tool.executeJs)
    const alone = script.length > MAX_SCRIPT ? [] : adviseAlone(tool._type, tool)
    return [...adviseAmong(own, tool._type, site), ...alone].map((one) => shown(one, script))
  }
}

function shown({code, severity, field, message, offset}: Advice, script: string): PreviewedAdvice {
  const isInScript = field === 'executeJs' && offset !== undefined
  return {code, severity, field, message, ...(isInScript && {line: lineAt(script, offset)})}
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|[\n\r]/).length
}
