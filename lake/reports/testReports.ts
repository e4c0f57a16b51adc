import type {Row, State} from '../../content/state/state.ts'
import {
  isOfPublished,
  parseReport,
  type StoredReport,
  type TestedDocument,
  type TestReport,
  withTimes,
} from './testReport.ts'

/** Sites whose last run is kept. Beyond that, the oldest one is deleted. */
const MOST_SITES = 1_000

/** Documents whose tests in a review are kept. Beyond that, the oldest ones are deleted: they have to run again. */
const MOST_REVIEWED = 1_000

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
  readonly #mostSites: number
  readonly #mostReviewed: number

  constructor(state: State, {now = Date.now, mostSites = MOST_SITES, mostReviewed = MOST_REVIEWED} = {}) {
    this.#state = state
    this.#now = now
    this.#mostSites = mostSites
    this.#mostReviewed = mostReviewed
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
      this.#state.run(
        'DELETE FROM reviewed_tests WHERE document NOT IN (SELECT document FROM reviewed_tests ORDER BY at DESC LIMIT ?)',
        this.#mostReviewed,
      )
      if (report.isPartial || !isOfPublished(report, published)) return
      const {at: _, ...content} = withTimes(report, at, this.find(site))
      this.#state.run('REPLACE INTO test_report VALUES (?, ?, ?)', site, at, JSON.stringify(content))
      this.#state.run(
        'DELETE FROM test_report WHERE site NOT IN (SELECT site FROM test_report ORDER BY at DESC LIMIT ?)',
        this.#mostSites,
      )
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
