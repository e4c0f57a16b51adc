import {
  groupVersions,
  type StoredDocument,
  siteOf,
  type ToolType,
  type Versions,
} from '../../schemas/documents.ts'
import {pageToolsOf} from '../../schemas/rules/names/toolName.ts'
import {countSegments, MAX_PATH_SEGMENTS} from '../../schemas/rules/paths/pathSegments.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {isSiteEnabled} from '../../schemas/rules/site.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Reason, SiteReason} from './reasons.ts'
import {type Verdict, Verdicts} from './verdicts.ts'

/** One revision of a tool, and why it is not offered on any page. */
export type ToolRevision = {readonly verdict: Verdict; readonly reasons: readonly Reason[]}

/** A site's documents, checked by the rules. */
export type CheckedSite = ReturnType<typeof checkSite>

/** A tool or form tool of a site. */
export type SiteTool = CheckedSite['tools'][number]

/** A document that competes for a name: of several with one name, the first one in this order is served. */
type Candidate = {readonly id: string; readonly type: ToolType; readonly verdict: Verdict}

const TYPES: readonly ToolType[] = ['tool', 'formTool']

/**
 * Applies the service's rules to a site.
 * @param documents all sites, and at least the tools and form tools of this one, published and drafts. Other
 * documents are ignored.
 * @param before the same site, checked earlier: documents that it has verdicts on are not parsed again
 */
export function checkSite(
  siteId: string,
  documents: readonly StoredDocument[],
  before?: {readonly verdicts: Verdicts},
) {
  const verdicts = new Verdicts(before?.verdicts)
  const groups = groupVersions(documents)
  const tools = groups.flatMap((versions) => {
    const type = TYPES.find((known) => known === versions.type)
    const isHere = siteOf(versions.published) === siteId || siteOf(versions.draft) === siteId
    return type !== undefined && isHere ? [{...versions, type}] : []
  })
  const byName = new Map<string, Candidate[]>()
  for (const {id, type, published} of tools) {
    if (published === undefined || ownReasons(published, siteId).length > 0) continue
    const verdict = verdicts.of(type, published)
    if (verdict.broken !== undefined || verdict.place === undefined) continue
    const {name} = verdict.place
    byName.set(name, [...(byName.get(name) ?? []), {id, type, verdict}].sort(inOrder))
  }
  const revision = (id: string, type: ToolType, document: StoredDocument): ToolRevision => {
    const verdict = verdicts.of(type, document)
    const reasons = [...ownReasons(document, siteId)]
    if (verdict.broken !== undefined) reasons.push({code: 'invalid', ...verdict.broken})
    else if (verdict.place !== undefined && reasons.length === 0)
      reasons.push(...nameReasons({id, type, verdict}, verdict.place.name, byName))
    return {verdict, reasons}
  }
  const segments = [...byName.values()].reduce((sum, [first]) => {
    return sum + (first?.verdict.place === undefined ? 0 : countSegments(first.verdict.place.pattern))
  }, 0)
  const site = groups.find(({id, type}) => id === siteId && type === 'site')
  const others = groups.filter(({id, type}) => id !== siteId && type === 'site')
  return {
    /** Why the site offers nothing at all. */
    reasons: siteReasons(site?.published, others, segments),
    /** By name. */
    tools: tools
      .map(({id, type, published, draft}) => ({
        /** The id of the published document. */
        id,
        type,
        /** As shown in lists: the draft's, else the published one's. */
        name: textOf((draft ?? published)?.name) || 'Untitled',
        description: textOf((draft ?? published)?.description),
        isPublished: published !== undefined,
        /** What is served. */
        now: published === undefined ? UNPUBLISHED : revision(id, type, published),
        /** What publishing the draft would serve. */
        ...(draft && {after: revision(id, type, draft)}),
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    /** The names of tools that the pages register themselves. */
    pageTools: pageToolsOf(site?.draft ?? site?.published),
    verdicts,
  }
}

const UNPUBLISHED: ToolRevision = {verdict: {}, reasons: [{code: 'unpublished'}]}

/** The reasons that need no other document and no rule. */
function ownReasons(document: StoredDocument, siteId: string): Reason[] {
  const reasons: Reason[] = []
  if (siteOf(document) !== siteId) reasons.push({code: 'otherSite'})
  if (document.enabled !== true) reasons.push({code: 'off'})
  return reasons
}

function nameReasons(
  candidate: Candidate,
  name: string,
  byName: ReadonlyMap<string, readonly Candidate[]>,
): Reason[] {
  const [first] = (byName.get(name) ?? []).filter(({id}) => id !== candidate.id)
  if (first === undefined || inOrder(candidate, first) < 0) return []
  return [{code: 'nameTaken', name, by: {id: first.id, type: first.type}}]
}

/** The order of the service's query, for documents of one name. */
function inOrder(a: Candidate, b: Candidate): number {
  return TYPES.indexOf(a.type) - TYPES.indexOf(b.type) || (a.id < b.id ? -1 : 1)
}

/**
 * Why a site offers nothing at all.
 * @param others other sites, at least those with its public ID
 * @param segments of the patterns of its tools
 */
export function siteReasons(
  site: StoredDocument | undefined,
  others: readonly Versions[],
  segments = 0,
): SiteReason[] {
  if (site === undefined) return [{code: 'siteUnpublished'}]
  const reasons: SiteReason[] = []
  const publicId = parsePublicId(site.publicId)
  if (!publicId.ok) reasons.push({code: 'siteInvalid', field: 'publicId', problem: publicId.problem})
  if (!isSiteEnabled(site)) reasons.push({code: 'siteOff'})
  const older = others.find(({id, published}) => {
    return published !== undefined && published.publicId === site.publicId && isOlder(id, published, site)
  })
  if (older !== undefined && publicId.ok)
    reasons.push({code: 'siteTaken', by: {id: older.id, name: textOf(older.published?.name)}})
  if (segments > MAX_PATH_SEGMENTS) reasons.push({code: 'siteTooLarge', segments})
  return reasons
}

/** Of several sites with one public ID, the service serves the oldest. */
function isOlder(id: string, other: StoredDocument, site: StoredDocument): boolean {
  const [created, ownCreated] = [textOf(other._createdAt), textOf(site._createdAt)]
  return created === ownCreated ? id < site._id.replace(/^drafts\./, '') : created < ownCreated
}
