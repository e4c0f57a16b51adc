import {hash} from 'node:crypto'
import {diagnosePage, type ToolOnPage} from '../../../advice/diagnosis/page.ts'
import {stateOf} from '../../../advice/diagnosis/reasons.ts'
import {describeSite, explain, STATE_TITLES} from '../../../advice/diagnosis/words.ts'
import {listMembers} from '../../../schemas/actions/result.ts'
import {type StoredDocument, siteOf, type Versions} from '../../../schemas/documents.ts'
import {parseTests} from '../../../schemas/fields/tests.ts'
import type {PreviewedTool} from '../../../schemas/preview.ts'
import {changesSomething} from '../../../schemas/rules/hints/effects.ts'
import {normalizePath} from '../../../schemas/rules/paths/normalizePath.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {servedIn} from '../../../schemas/served.ts'
import {configFor} from '../../site/answer.ts'
import {type SliceQueue, TimeSlice} from '../../site/timeSlice.ts'
import type {ScriptName} from '../seals.ts'
import type {AdviseDraft} from './draftAdvice.ts'
import type {DraftAuthor} from './draftAuthors.ts'
import type {DraftSite} from './draftSite.ts'

/** What the panel shows of a page, without what is different for each link. */
export type PageReport = {
  /** Identifies the report: the same documents give the same tag on every replica. */
  readonly tag: string
  /** The members `site`, `config` and `tools` of the response as JSON, without the braces around them. */
  readonly members: string
  /** The scripts in `config`. */
  readonly scripts: readonly ScriptName[]
}

/**
 * Reports what a page offers with all drafts applied, what not and why, with advice on the tools for this page.
 * @param slices the long-running work of the thread.
 * @param authors who wrote drafts, by the id of the draft.
 */
export async function reportPage(
  site: DraftSite,
  advise: AdviseDraft,
  path: string,
  slices: SliceQueue,
  authors: ReadonlyMap<string, DraftAuthor> = new Map(),
): Promise<PageReport> {
  const {siteReasons, tools} = diagnosePage(site.applied, path)
  const work = new TimeSlice(slices)
  const reported: PreviewedTool[] = []
  for (const tool of [...tools, ...leavingTools(site)]) {
    await work.yieldIfOver()
    const versions = site.versions.get(tool.id)
    const applied = site.tools.get(tool.id)
    const document = applied ?? versions?.published
    const author = authors.get(`drafts.${tool.id}`)
    const members = listMembers(document ?? {})
    const isForPage = tool.reasons.every(({code}) => code !== 'noMatch')
    reported.push({
      id: tool.id,
      type: tool.type,
      name: textOf(document?.name) || 'Untitled',
      state: stateOfVersions(site.document._id, versions),
      ...(author?.name && {author: author.name}),
      ...(author?.mayPublish === true && {mayBePublished: true}),
      ...(tool.type === 'tool' && changesSomething(document ?? {}) && {changes: true}),
      isOffered: tool.reasons.length === 0,
      title: STATE_TITLES[stateOf(tool.reasons)],
      reasons: explain(tool),
      advice: applied !== undefined && isForPage ? advise(applied) : [],
      ...(applied?.enabled === true && members.length > 0 && {members}),
      ...(applied?.enabled === true ? testsOf(applied, isForPage ? undefined : path) : {tests: []}),
    })
  }
  reported.sort((a, b) => a.name.localeCompare(b.name))
  const config = configFor(site.compiled, path).encode().toString()
  const {_id: id, name} = site.document
  const head = {
    id,
    name: textOf(name),
    asksForReview: site.asksForReview,
    reasons: siteReasons.map((reason) => describeSite(reason)),
  }
  const members = `"site":${JSON.stringify(head)},"config":${config},"tools":${JSON.stringify(reported)}`
  return {tag: hash('sha1', members, 'base64url'), members, scripts: scriptsIn(config)}
}

/** The tests of a tool. With a path, only if one of them is for that page. */
function testsOf(
  {tests}: StoredDocument,
  path: string | undefined,
): Pick<PreviewedTool, 'tests' | 'testsProblem'> {
  const parsed = parseTests(tests)
  if (!parsed.ok) return {tests: [], ...(path === undefined && {testsProblem: parsed.problem})}
  const isHere =
    path === undefined || parsed.value.some(({page}) => normalizePath(page) === normalizePath(path))
  return {tests: isHere ? parsed.value : []}
}

/** Published tools that a draft moves to another site: what the draft contains belongs to that site. */
function leavingTools({published, tools}: DraftSite): ToolOnPage[] {
  const leaving = published.tools.filter(({id}) => !tools.has(id))
  return leaving.map((tool) => ({...tool, reasons: [{code: 'otherSite'}]}))
}

function stateOfVersions(siteId: string, versions: Versions | undefined): PreviewedTool['state'] {
  if (siteOf(versions?.published) !== siteId) return 'new'
  return versions?.draft === undefined ? 'published' : 'changed'
}

function scriptsIn(config: string): ScriptName[] {
  return servedIn(JSON.parse(config)).flatMap(({members: {id, executeJs}}) =>
    typeof id === 'string' && typeof executeJs === 'string'
      ? [{toolId: id, revision: hash('sha256', executeJs)}]
      : [],
  )
}
