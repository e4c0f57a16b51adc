import {diagnosePage} from '../../advice/diagnosis/page.ts'
import {stateOf} from '../../advice/diagnosis/reasons.ts'
import type {Selection} from '../../advice/diagnosis/selection.ts'
import {type CheckedSite, siteReasons} from '../../advice/diagnosis/site.ts'
import {describeReason, describeSite} from '../../advice/diagnosis/words.ts'
import {
  groupVersions,
  type StoredDocument,
  siteOf,
  type ToolType,
  type Versions,
} from '../../schemas/documents.ts'
import {IS_TIME} from '../../schemas/fields/offeredWhile.ts'
import {namesOf} from '../activity/names.ts'
import type {Review} from '../review/review.ts'

/** A site in short. */
export type SiteSummary = ReturnType<typeof aboutSite> & {
  /** What is known of the tools: pages get them, or only that they are switched on. */
  readonly state: 'on pages' | 'switched on'
  /** At this time. */
  readonly tools: number
  readonly formTools: number
  /** Published, but not enabled. */
  readonly off: number
  /** Documents with a draft, and the site itself. */
  readonly drafts: number
  /** Why nothing is offered. */
  readonly problems: readonly string[]
  /** Published documents that the site does not offer, although they are switched on. Empty where its tools are only counted. */
  readonly leftOut: readonly {
    readonly id: string
    readonly type: ToolType
    readonly name: string
    readonly why: string
  }[]
}

/** Changes that the first page shows. */
export const MAX_LATEST = 6

/** Tools that pages can get now: whether their rules hold is known to the page of the site, which reads them. */
const OFFERED = `enabled == true && ${IS_TIME}`

const countOf = (which: string) => `count(*[site._ref == ^._id && ${which}])`

/** Selects all sites, with counts of their tools, drafts and versions included, these, and the documents that changed last. */
export const ALL_SITES: Selection = {
  query: `[
    ...*[_type == "site"]{
      _id, _type, _rev, _createdAt, _updatedAt, name, publicId, enabled,
      "tools": ${countOf(`_type == "tool" && ${OFFERED}`)},
      "formTools": ${countOf(`_type == "formTool" && ${OFFERED}`)},
      "off": ${countOf('_type in $tools && enabled != true')}
    },
    ...*[_type in $tools] | order(_updatedAt desc)[0...${MAX_LATEST}]{_id, _type, _rev, _updatedAt, name},
    ...*[_type in $tools && (_id in path("drafts.**") || _id in path("versions.**"))]{
      _id, _type, _rev, _updatedAt, name, site, enabled, "isOffered": ${OFFERED}
    }
  ]`,
  filter: '*[_type in $types]',
  params: {tools: ['tool', 'formTool'], types: ['site', 'tool', 'formTool']},
  counts: true,
}

/** Sums up all sites of {@link ALL_SITES}, by name. */
export function summarize(documents: readonly StoredDocument[], reviews: readonly Review[]): SiteSummary[] {
  const names = namesOf(documents)
  const groups = groupVersions(documents)
  const sites = groups.filter(({type}) => type === 'site')
  const byPublicId = Map.groupBy(sites, ({published}) => published?.publicId)
  // A lake uses no index for a filter that leaves drafts out, so they are counted here and taken off.
  const unpublished = Map.groupBy(
    documents.filter(({_id, _type}) => _type !== 'site' && /^(drafts|versions)\./.test(_id)),
    siteOf,
  )
  return sites
    .map((site): SiteSummary => {
      const {id, published} = site
      const own = unpublished.get(id) ?? []
      const count = (member: string, isCounted: (document: StoredDocument) => boolean) =>
        Math.max(0, Number(published?.[member] ?? 0) - own.filter(isCounted).length)
      const offered = (type: ToolType) => (document: StoredDocument) =>
        document._type === type && document.isOffered === true
      const others = byPublicId.get(published?.publicId)?.filter((other) => other.id !== id)
      return {
        ...aboutSite(
          site,
          names.get(id) ?? id,
          reviews.filter(({sites}) => sites.includes(id)),
        ),
        state: 'switched on',
        tools: count('tools', offered('tool')),
        formTools: count('formTools', offered('formTool')),
        off: count('off', ({enabled}) => enabled !== true),
        drafts: own.filter(({_id}) => _id.startsWith('drafts.')).length + (site.draft === undefined ? 0 : 1),
        problems: siteReasons(published, others ?? []).map((reason) => describeSite(reason)),
        leftOut: [],
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

/**
 * Sums up a site whose tools are known.
 * @param reviews of the site
 */
export function summarizeSite(
  site: Versions,
  name: string,
  checked: CheckedSite,
  reviews: readonly Review[],
): SiteSummary {
  const {tools, siteReasons} = diagnosePage(checked, undefined)
  // What is said of the whole site stands elsewhere.
  const working = tools.filter(({reasons}) => reasons.length === siteReasons.length)
  return {
    ...aboutSite(site, name, reviews),
    state: 'on pages',
    tools: working.filter(({type}) => type === 'tool').length,
    formTools: working.filter(({type}) => type === 'formTool').length,
    off: tools.filter(({now}) => stateOf(now.reasons) === 'off').length,
    drafts: tools.filter(({after}) => after !== undefined).length + (site.draft === undefined ? 0 : 1),
    problems: siteReasons.map((reason) => describeSite(reason)),
    leftOut: tools.flatMap(({id: toolId, type, name: toolName, now: {reasons}}) => {
      const [reason] = reasons
      if (reason === undefined || (reason.code !== 'invalid' && reason.code !== 'nameTaken')) return []
      return [{id: toolId, type, name: toolName, why: describeReason(reason, type)}]
    }),
  }
}

function aboutSite({id, published}: Versions, name: string, reviews: readonly Review[]) {
  return {
    id,
    name,
    /** Of the published site. */
    publicId: published?.publicId,
    /** Whether the published site is switched off. */
    isOff: published?.enabled === false,
    /** Requests that wait for somebody to review them, and those that were sent back to their authors. */
    reviews: reviews.filter(({isSentBack}) => !isSentBack).length,
    sentBack: reviews.filter(({isSentBack}) => isSentBack).length,
  }
}
