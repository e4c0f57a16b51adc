import {isJsonObject, type JsonObject} from '../../common/json.ts'
import type {Row, State} from '../../content/state/state.ts'

/** The tests of a change that is reviewed. */
export type ReviewedTests = Pick<TestedDocument, 'passed' | 'failed' | 'problem'> &
  Pick<StoredReport, 'at' | 'commit'> & {
    /** The id of the published document. */
    readonly document: string
    /** The revision that is to be published. */
    readonly revision: string
  }

/** Which revisions a report can be about. */
export type KnownRevisions = {
  /** The revision of a published document. */
  readonly published: (id: string) => string | undefined
  /** Whether a review of a document of the site leads to a revision. */
  readonly isReviewed: (id: string, revision: string) => boolean
}

/** The last run of the tests of each site, and of each change that is reviewed. */
export class TestReports {
  readonly #state: State
  readonly #now: () => number

  constructor(state: State, now = Date.now) {
    this.#state = state
    this.#now = now
  }

  /** @throws StateError */
  find(site: string): StoredReport | undefined {
    return stored(this.#state.get('SELECT * FROM test_report WHERE site = ?', site))
  }

  /** The sites with their reports. @throws StateError */
  all(): {readonly site: string; readonly report: StoredReport}[] {
    return this.#state.all('SELECT * FROM test_report ORDER BY site').flatMap((row) => {
      const report = stored(row)
      return report === undefined ? [] : [{site: String(row.site), report}]
    })
  }

  /** The tests of a change that is reviewed. Undefined: they did not run. @throws StateError */
  findReviewed(document: string, revision: string): ReviewedTests | undefined {
    const sql = 'SELECT * FROM reviewed_tests WHERE document = ? AND revision = ?'
    return this.#state.all(sql, document, revision).flatMap(reviewedTests)[0]
  }

  /** The tests of the changes of a site that are reviewed. @throws StateError */
  reviewedOf(site: string): ReviewedTests[] {
    const sql = 'SELECT * FROM reviewed_tests WHERE site = ? ORDER BY document'
    return this.#state.all(sql, site).flatMap(reviewedTests)
  }

  /**
   * Keeps the results of changes that are reviewed. Replaces the last run of the site if no tool was left out, and all that
   * were tested are published as they were tested: a branch says nothing about what pages get.
   * @throws StateError
   */
  save(site: string, report: TestReport, {published, isReviewed}: KnownRevisions): void {
    this.#state.transaction(() => {
      const at = new Date(this.#now()).toISOString()
      for (const tool of report.tools) {
        const {id, revision, passed, failed} = tool
        if (revision === undefined || !isReviewed(id, revision) || passed + failed === 0) continue
        const content = JSON.stringify({commit: report.commit, tools: [tool]})
        this.#state.run('REPLACE INTO reviewed_tests VALUES (?, ?, ?, ?, ?)', id, site, revision, at, content)
      }
      if (report.isPartial || !isOfPublished(report, published)) return
      const {at: _, ...content} = withTimes(report, at, this.find(site))
      this.#state.run('REPLACE INTO test_report VALUES (?, ?, ?)', site, at, JSON.stringify(content))
    })
  }
}

function reviewedTests({document, revision, at, report}: Row): ReviewedTests[] {
  const {commit, tools} = parseReport(JSON.parse(String(report)))
  return tools.map(({passed, failed, problem}) => {
    return {
      document: String(document),
      revision: String(revision),
      at: String(at),
      commit,
      passed,
      failed,
      problem,
    }
  })
}

function stored(row: Row | undefined): StoredReport | undefined {
  if (row === undefined) return undefined
  const {commit, tools} = parseReport(JSON.parse(String(row.report)))
  return {at: String(row.at), commit, tools}
}

/** The tests of one tool in a run. */
type TestedDocument = {
  /** The id of the published document. */
  readonly id: string
  readonly name: string
  /** Of the document that was tested. Undefined: it is not known, or what pages get was tested. */
  readonly revision?: string
  readonly passed: number
  readonly failed: number
  /** The first line of the first failure. Empty: all passed. */
  readonly problem: string
  /** The time of the first run of those that failed one after the other, in ISO 8601. */
  readonly failsSince?: string
}

/** A run of the tests of a site. */
export type TestReport = {
  /** The commit of the content that was tested. Empty: it is not in Git. */
  readonly commit: string
  readonly tools: readonly TestedDocument[]
  /** Whether tools were left out that have tests, such as those that a branch does not change. */
  readonly isPartial: boolean
}

/** A run, and when it was reported, in ISO 8601. */
type StoredReport = Omit<TestReport, 'isPartial'> & {readonly at: string}

const MAX_TOOLS = 1_000
const LONGEST_NAME = 200
const LONGEST_REVISION = 64
const LONGEST_TIME = 40
const LONGEST_PROBLEM = 500

/**
 * Parses what a run of tests reports.
 * @throws Error with one line that says what is wrong
 */
export function parseReport(value: unknown): TestReport {
  if (!isJsonObject(value)) throw new Error('The report must be a JSON object')
  const {commit = '', tools, partial = false} = value
  if (typeof commit !== 'string' || !/^(?:[0-9a-f]{7,64})?$/.test(commit))
    throw new Error('"commit" must be the hash of a commit')
  if (typeof partial !== 'boolean') throw new Error('"partial" must be true or false')
  if (!Array.isArray(tools)) throw new Error('"tools" must be a list')
  if (tools.length > MAX_TOOLS)
    throw new Error(`"tools" has ${tools.length} entries: the limit is ${MAX_TOOLS}`)
  const parsed = tools.map(parseTool)
  const ids = new Set(parsed.map(({id}) => id))
  if (ids.size < parsed.length) throw new Error('"tools" has two entries with the same "id"')
  return {commit, tools: parsed, isPartial: partial}
}

function parseTool(value: unknown): TestedDocument {
  const tool = isJsonObject(value) ? value : {}
  return {
    id: textIn(tool, 'id', LONGEST_NAME),
    name: textIn(tool, 'name', LONGEST_NAME),
    ...(tool.revision !== undefined && {revision: textIn(tool, 'revision', LONGEST_REVISION)}),
    passed: countIn(tool, 'passed'),
    failed: countIn(tool, 'failed'),
    problem: textIn(tool, 'problem', LONGEST_PROBLEM),
    ...(tool.failsSince !== undefined && {failsSince: textIn(tool, 'failsSince', LONGEST_TIME)}),
  }
}

function textIn(tool: JsonObject, name: string, longest: number): string {
  const text = tool[name]
  if (typeof text !== 'string' || text.length > longest)
    throw new Error(`"${name}" of a tool must be a text of at most ${longest} characters`)
  return text
}

function countIn(tool: JsonObject, name: string): number {
  const count = tool[name]
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  throw new Error(`"${name}" of a tool must be a whole number`)
}

/** A report with the time since when each tool fails. */
function withTimes({commit, tools}: TestReport, at: string, before?: StoredReport): StoredReport {
  const known = new Map(before?.tools.map((tool) => [tool.id, tool.failsSince]))
  return {
    at,
    commit,
    tools: tools.map(({failsSince: _reported, ...tool}) =>
      tool.failed === 0 ? tool : {...tool, failsSince: known.get(tool.id) ?? at},
    ),
  }
}

/** Whether a run tested what is published. @param revisionOf returns the revision of a published document */
function isOfPublished({tools}: TestReport, revisionOf: (id: string) => string | undefined): boolean {
  return tools.every(({id, revision}) => revision === undefined || revision === revisionOf(id))
}

/** A report in short. */
export function summaryOf({at, commit, tools}: StoredReport) {
  const [failsSince] = tools.flatMap((tool) => tool.failsSince ?? []).sort()
  return {
    at,
    commit,
    passed: tools.reduce((sum, {passed}) => sum + passed, 0),
    failed: tools.reduce((sum, {failed}) => sum + failed, 0),
    ...(failsSince !== undefined && {failsSince}),
  }
}
