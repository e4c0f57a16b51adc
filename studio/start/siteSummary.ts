import {groupVersions, type StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {diagnosePage} from '../../schemas/diagnosis/page.ts'
import {stateOf} from '../../schemas/diagnosis/reasons.ts'
import {type CheckedSite, checkSite, type SiteTool} from '../../schemas/diagnosis/site.ts'
import {describeSite, type TitleOf} from '../../schemas/diagnosis/words.ts'
import {namesOf} from '../activity/names.ts'

/** A site in short. */
export type SiteSummary = {
  readonly id: string
  readonly name: string
  /** Documents that are offered on the pages that their patterns match. */
  readonly tools: number
  readonly formTools: number
  /** Published, but not enabled. */
  readonly off: number
  /** Documents with a draft, and the site itself. */
  readonly drafts: number
  /** Why nothing is offered. */
  readonly problems: readonly string[]
  /** Published documents that are not offered because something is wrong with them. */
  readonly leftOut: readonly Pick<SiteTool, 'id' | 'type' | 'name'>[]
  readonly checked: CheckedSite
}

/** Sums up all sites, by name. */
export function summarize(
  documents: readonly StoredDocument[],
  titleOf: TitleOf,
  before: readonly SiteSummary[],
): SiteSummary[] {
  const names = namesOf(documents)
  const sites = groupVersions(documents).filter(({type}) => type === 'site')
  return sites
    .map(({id, draft}) => {
      const checked = checkSite(id, documents, before.find((known) => known.id === id)?.checked)
      const {tools, siteReasons} = diagnosePage(checked, undefined)
      const working = tools.filter(({now}) => now.reasons.length === 0)
      const leftOut = tools.filter(({now}) => ['invalid', 'nameTaken'].includes(stateOf(now.reasons)))
      return {
        id,
        name: names.get(id) ?? id,
        tools: working.filter(({type}) => type === 'tool').length,
        formTools: working.filter(({type}) => type === 'formTool').length,
        off: tools.filter(({now}) => stateOf(now.reasons) === 'off').length,
        drafts: tools.filter(({after}) => after !== undefined).length + (draft === undefined ? 0 : 1),
        problems: siteReasons.map((reason) => describeSite(reason, titleOf)),
        leftOut,
        checked,
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}
