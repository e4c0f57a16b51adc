import {type StoredDocument, siteOf, type ToolType} from '../../schemas/documents.ts'
import {TOOL_DECLARATIONS} from '../../schemas/index.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {site} from '../../schemas/site.ts'
import type {Reason} from '../diagnosis/reasons.ts'
import {checkSite, type SiteTool} from '../diagnosis/site.ts'
import {compareDocuments, type MemberChange, patternOf} from './members.ts'

/** Published documents at one time, by id. */
export type Snapshot = ReadonlyMap<string, StoredDocument>

/** What changes for the visitors of one site. */
export type SiteChange = ReturnType<typeof compareSite>

/** A tool that comes, goes or changes, regardless of whether its site is on. */
export type ToolChange = {
  readonly id: string
  readonly type: ToolType
  readonly kind: 'added' | 'removed' | 'changed'
  readonly name: string
  /** The pages that offer it: before, if it was removed. */
  readonly pattern: string
  /** Why it is no longer offered. Empty: the document was deleted. */
  readonly reasons: readonly Reason[]
  /** What agents are told or run. For a new tool, all that it has. */
  readonly members: readonly MemberChange[]
}

/** Compares what the pages of all sites offer. Sites for whose visitors nothing changes are left out. */
export function compare(before: Snapshot, after: Snapshot): SiteChange[] {
  const sites = affectedSites(before, after).map((id) => compareSite(id, before, after))
  return sites.filter(isChanged).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The sites that a changed document belongs to. A public ID can affect another site with the same one. */
function affectedSites(before: Snapshot, after: Snapshot): string[] {
  const affected = new Set<string>()
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const versions = [before.get(id), after.get(id)]
    if (versions[0]?._rev === versions[1]?._rev) continue
    for (const document of versions) {
      const site = siteOf(document)
      if (document?._type === 'site') {
        for (const other of [...sitesIn(before), ...sitesIn(after)])
          if (other._id === id || other.publicId === document.publicId) affected.add(other._id)
      } else if (site !== undefined) affected.add(site)
    }
  }
  return [...affected]
}

function sitesIn(documents: Snapshot): StoredDocument[] {
  return [...documents.values()].filter(({_type}) => _type === 'site')
}

function compareSite(id: string, before: Snapshot, after: Snapshot) {
  const was = checkSite(id, documentsOf(id, before))
  const is = checkSite(id, documentsOf(id, after), was)
  const [siteBefore, siteAfter] = [siteIn(before, id), siteIn(after, id)]
  const toolsBefore = sidesOf(was.tools, before)
  const toolsAfter = sidesOf(is.tools, after)
  const tools = [...new Set([...toolsBefore.keys(), ...toolsAfter.keys()])].flatMap((tool) => {
    const moved: readonly Reason[] = after.has(tool) ? [{code: 'otherSite'}] : []
    return compareTool(toolsBefore.get(tool), toolsAfter.get(tool), moved) ?? []
  })
  return {
    id,
    name: textOf((siteAfter ?? siteBefore)?.name) || id,
    /** Why the site offers nothing; empty: it offers its tools. Undefined: there is no such site. */
    before: siteBefore && was.reasons,
    after: siteAfter && is.reasons,
    settings: siteBefore && siteAfter ? compareDocuments(site, siteBefore, siteAfter) : [],
    tools: tools.sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** All sites, and the tools of one. */
function documentsOf(site: string, documents: Snapshot): StoredDocument[] {
  return [...documents.values()].filter((document) => document._type === 'site' || siteOf(document) === site)
}

function siteIn(documents: Snapshot, id: string): StoredDocument | undefined {
  const document = documents.get(id)
  return document?._type === 'site' ? document : undefined
}

/** A tool before or after, with its document. */
type Side = {readonly tool: SiteTool; readonly document: StoredDocument}

function sidesOf(tools: readonly SiteTool[], documents: Snapshot): Map<string, Side> {
  return new Map(
    tools.flatMap((tool): [string, Side][] => {
      const document = documents.get(tool.id)
      return document === undefined ? [] : [[tool.id, {tool, document}]]
    }),
  )
}

/** @param gone why a tool that the site does not have any more is not offered */
function compareTool(
  before: Side | undefined,
  after: Side | undefined,
  gone: readonly Reason[],
): ToolChange | undefined {
  const was = before && isOffered(before) ? before : undefined
  const is = after && isOffered(after) ? after : undefined
  const shown = is ?? was
  if (shown === undefined || (was && is && was.document._rev === is.document._rev)) return undefined
  const {tool, document} = shown
  const {id, type, name} = tool
  const common = {id, type, name, pattern: patternOf(type, document)}
  if (is === undefined)
    return {...common, kind: 'removed', reasons: after?.tool.now.reasons ?? gone, members: []}
  const members = compareDocuments(TOOL_DECLARATIONS[type], was?.document, is.document)
  if (was === undefined) return {...common, kind: 'added', reasons: [], members}
  return members.length === 0 ? undefined : {...common, kind: 'changed', reasons: [], members}
}

/** Whether a tool is offered if its site is on. */
function isOffered({tool}: Side): boolean {
  return tool.now.reasons.length === 0
}

function isChanged({before, after, settings, tools}: SiteChange): boolean {
  return JSON.stringify(before) !== JSON.stringify(after) || settings.length > 0 || tools.length > 0
}
