import {diagnosePage} from '../../advice/diagnosis/page.ts'
import {stateOf} from '../../advice/diagnosis/reasons.ts'
import {type CheckedSite, checkSite} from '../../advice/diagnosis/site.ts'
import {describeReason, describeSite} from '../../advice/diagnosis/words.ts'
import {groupVersions, type StoredDocument, type Versions} from '../../schemas/documents.ts'
import {namesOf} from '../activity/names.ts'
import type {Review} from '../review/review.ts'

/** A site in short. */
export type SiteSummary = ReturnType<typeof summarizeSite>

/** Sums up all sites, by name. */
export function summarize(
  documents: readonly StoredDocument[],
  reviews: readonly Review[],
  before: readonly SiteSummary[],
): SiteSummary[] {
  const names = namesOf(documents)
  return groupVersions(documents)
    .filter(({type}) => type === 'site')
    .map((site) => {
      const {id} = site
      const checked = checkSite(id, documents, before.find((known) => known.id === id)?.checked)
      const own = reviews.filter(({sites}) => sites.includes(id))
      return summarizeSite(site, names.get(id) ?? id, checked, own)
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

/**
 * Sums up a site.
 * @param reviews of the site
 */
export function summarizeSite(
  {id, published, draft}: Versions,
  name: string,
  checked: CheckedSite,
  reviews: readonly Review[],
) {
  const {tools, siteReasons} = diagnosePage(checked, undefined)
  const working = tools.filter(({now}) => now.reasons.length === 0)
  return {
    id,
    name,
    /** Of the published site. */
    publicId: published?.publicId,
    /** Whether the published site is switched off. */
    isOff: published?.enabled === false,
    /** Documents that are offered on the pages that their patterns match. */
    tools: working.filter(({type}) => type === 'tool').length,
    formTools: working.filter(({type}) => type === 'formTool').length,
    /** Published, but not enabled. */
    off: tools.filter(({now}) => stateOf(now.reasons) === 'off').length,
    /** Documents with a draft, and the site itself. */
    drafts: tools.filter(({after}) => after !== undefined).length + (draft === undefined ? 0 : 1),
    /** Requests that wait for somebody to review them, and those that were sent back to their authors. */
    reviews: reviews.filter(({isSentBack}) => !isSentBack).length,
    sentBack: reviews.filter(({isSentBack}) => isSentBack).length,
    /** Why nothing is offered. */
    problems: siteReasons.map((reason) => describeSite(reason)),
    /** Published documents that the site does not offer, although they are switched on. */
    leftOut: tools.flatMap(({id: toolId, type, name: toolName, now: {reasons}}) => {
      const [reason] = reasons
      if (reason === undefined || (reason.code !== 'invalid' && reason.code !== 'nameTaken')) return []
      return [{id: toolId, type, name: toolName, why: describeReason(reason, type)}]
    }),
    checked,
  }
}
