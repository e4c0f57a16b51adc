import {type CheckedSite, checkSite} from '../../../advice/diagnosis/site.ts'
import {Verdicts} from '../../../advice/diagnosis/verdicts.ts'
import {
  groupVersions,
  type StoredDocument,
  siteOf,
  type ToolType,
  type Versions,
  withDrafts,
} from '../../../schemas/documents.ts'
import {formTool} from '../../../schemas/formTool.ts'
import {parseReview} from '../../../schemas/rules/site.ts'
import type {SiteCompiler} from '../../site/compile.ts'
import type {CompiledSite} from '../../site/compiledSite.ts'
import {readTool} from '../../site/readTool.ts'
import {TimeSlice} from '../../site/timeSlice.ts'

/** A site with all its drafts applied, as if they were published. */
export type DraftSite = {
  readonly document: StoredDocument
  readonly compiled: CompiledSite
  /** What publishing all drafts would offer. */
  readonly applied: CheckedSite
  /** What visitors are offered. */
  readonly published: CheckedSite
  /** The site's tools and form tools with drafts applied, by the id of the published document. */
  readonly tools: ReadonlyMap<string, StoredDocument>
  readonly versions: ReadonlyMap<string, Versions>
  readonly verdicts: Verdicts
  /**
   * Whether the site asks for reviews, so that a page must ask before it runs drafts. The published site decides: a draft
   * must not switch the question off.
   */
  readonly asksForReview: boolean
}

/**
 * Applies drafts, and compiles and checks the result with the code for published sites.
 * @param compiler compiles this site and others, which take turns.
 * @param before the same site, built earlier: unchanged documents are reused.
 * @returns undefined if the site was deleted.
 * @throws SiteError if the site exceeds the memory limit.
 */
export async function buildDraftSite(
  {siteId, documents}: {readonly siteId: string; readonly documents: readonly StoredDocument[]},
  maxBytes: number,
  compiler: SiteCompiler,
  before?: DraftSite,
): Promise<DraftSite | undefined> {
  const applied = withDrafts(documents)
  const document = applied.find(({_id, _type}) => _id === siteId && _type === 'site')
  if (document === undefined) return undefined
  const ofSite = applied.filter((tool) => siteOf(tool) === siteId)
  const verdicts = await judgeAll([...documents, ...applied], compiler, before?.verdicts)
  const enabled = ofSite.filter((tool) => tool.enabled === true).sort(inOrder)
  const compiled = await compiler.compile(
    {
      ...document,
      tools: enabled.filter(({_type}) => _type === 'tool'),
      formTools: enabled.filter(({_type}) => _type === 'formTool'),
    },
    before?.compiled,
    maxBytes,
  )
  return {
    document,
    compiled,
    applied: checkSite(siteId, withoutNamesOfOthers(siteId, applied), {verdicts}),
    published: checkSite(siteId, documents, {verdicts}),
    tools: new Map(ofSite.flatMap((tool) => (toolTypeOf(tool) === undefined ? [] : [[tool._id, tool]]))),
    versions: new Map(groupVersions(documents).map((versions) => [versions.id, versions])),
    verdicts,
    asksForReview: asksForReview(documents.find(({_id}) => _id === siteId) ?? document),
  }
}

/** What cannot be read asks for a review. */
function asksForReview({review}: StoredDocument): boolean {
  const parsed = parseReview(review)
  return !parsed.ok || parsed.value !== 'none'
}

function toolTypeOf({_type}: StoredDocument): ToolType | undefined {
  return _type === 'tool' || _type === 'formTool' ? _type : undefined
}

/** Applies the rules to all tools, in time slices and long scripts in a thread, so that one site delays no other. */
async function judgeAll(
  documents: readonly StoredDocument[],
  {slices, tools}: SiteCompiler,
  before: Verdicts | undefined,
): Promise<Verdicts> {
  const verdicts = new Verdicts(before)
  const work = new TimeSlice(slices)
  for (const document of documents) {
    const type = toolTypeOf(document)
    if (type === undefined) continue
    await work.yieldIfOver()
    await verdicts.judge(type, document, async () =>
      type === 'tool' ? tools.read(document, undefined) : readTool(formTool, document),
    )
  }
  return verdicts
}

/** Hides the names of other sites, which reasons mention: a preview shows nothing of another site. */
function withoutNamesOfOthers(siteId: string, documents: readonly StoredDocument[]): StoredDocument[] {
  return documents.map((document) =>
    document._type === 'site' && document._id !== siteId ? {...document, name: 'another site'} : document,
  )
}

/** The order of the service's query. */
function inOrder(a: StoredDocument, b: StoredDocument): number {
  const [name, other] = [String(a.name), String(b.name)]
  if (name !== other) return name < other ? -1 : 1
  return a._id < b._id ? -1 : 1
}
