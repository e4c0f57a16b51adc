import {
  groupVersions,
  type StoredDocument,
  type ToolType,
  type Versions,
} from '../../schemas/diagnosis/documents.ts'
import {diagnosePage} from '../../schemas/diagnosis/page.ts'
import {stateOf} from '../../schemas/diagnosis/reasons.ts'
import {type CheckedSite, checkSite} from '../../schemas/diagnosis/site.ts'
import {describeReason, describeSite} from '../../schemas/diagnosis/words.ts'
import {namesOf} from '../activity/names.ts'
import type {Review} from '../review/review.ts'

/** A published document that the site does not offer, although it is switched on. */
type LeftOut = {
  readonly id: string
  readonly type: ToolType
  readonly name: string
  /** As a sentence. */
  readonly why: string
}

/** A site in short. */
export type SiteSummary = {
  readonly id: string
  readonly name: string
  /** Of the published site. */
  readonly publicId: unknown
  /** Whether the published site is switched off. */
  readonly isOff: boolean
  /** Documents that are offered on the pages that their patterns match. */
  readonly tools: number
  readonly formTools: number
  /** Published, but not enabled. */
  readonly off: number
  /** Documents with a draft, and the site itself. */
  readonly drafts: number
  /** Requests that wait for somebody to review them, and those that were sent back to their authors. */
  readonly reviews: number
  readonly sentBack: number
  /** Why nothing is offered. */
  readonly problems: readonly string[]
  readonly leftOut: readonly LeftOut[]
  readonly checked: CheckedSite
}

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
): SiteSummary {
  const {tools, siteReasons} = diagnosePage(checked, undefined)
  const working = tools.filter(({now}) => now.reasons.length === 0)
  return {
    id,
    name,
    publicId: published?.publicId,
    isOff: published?.enabled === false,
    tools: working.filter(({type}) => type === 'tool').length,
    formTools: working.filter(({type}) => type === 'formTool').length,
    off: tools.filter(({now}) => stateOf(now.reasons) === 'off').length,
    drafts: tools.filter(({after}) => after !== undefined).length + (draft === undefined ? 0 : 1),
    reviews: reviews.filter(({isSentBack}) => !isSentBack).length,
    sentBack: reviews.filter(({isSentBack}) => isSentBack).length,
    problems: siteReasons.map((reason) => describeSite(reason)),
    leftOut: tools.flatMap(({id: toolId, type, name: toolName, now: {reasons}}) => {
      const [reason] = reasons
      if (reason === undefined || (reason.code !== 'invalid' && reason.code !== 'nameTaken')) return []
      return [{id: toolId, type, name: toolName, why: describeReason(reason, type)}]
    }),
    checked,
  }
}
