import {isJsonObject} from '../../common/json.ts'
import type {Row, State} from '../../content/state/state.ts'
import {parseReport, type StoredReport, type TestReport, withTimes} from './testReport.ts'

/** Sites whose last run is kept. Beyond that, the oldest one is deleted. */
const MOST_SITES = 1_000

/** The last run of the tests of each site. */
export class TestReports {
  readonly #state: State
  readonly #now: () => number
  readonly #mostSites: number

  constructor(state: State, {now = Date.now, mostSites = MOST_SITES} = {}) {
    this.#state = state
    this.#now = now
    this.#mostSites = mostSites
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

  /** Replaces the report of a site. @throws StateError */
  save(site: string, report: TestReport): void {
    this.#state.transaction(() => {
      const {at, ...content} = withTimes(report, new Date(this.#now()).toISOString(), this.find(site))
      this.#state.run('REPLACE INTO test_report VALUES (?, ?, ?)', site, at, JSON.stringify(content))
      this.#state.run(
        'DELETE FROM test_report WHERE site NOT IN (SELECT site FROM test_report ORDER BY at DESC LIMIT ?)',
        this.#mostSites,
      )
    })
  }
}

function stored(row: Row | undefined): StoredReport | undefined {
  if (row === undefined) return undefined
  const value: unknown = JSON.parse(String(row.report))
  const times = new Map(
    isJsonObject(value) && Array.isArray(value.tools)
      ? value.tools.filter(isJsonObject).map(({id, failsSince}) => [id, failsSince])
      : [],
  )
  const {commit, tools} = parseReport(value)
  return {
    at: String(row.at),
    commit,
    tools: tools.map((tool) => {
      const failsSince = times.get(tool.id)
      return typeof failsSince === 'string' ? {...tool, failsSince} : tool
    }),
  }
}
