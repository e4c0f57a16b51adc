import {isJsonObject, type JsonObject} from '../../common/json.ts'

/** The tests of one tool in a run. */
export type TestedDocument = {
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
export type StoredReport = Omit<TestReport, 'isPartial'> & {readonly at: string}

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
export function withTimes({commit, tools}: TestReport, at: string, before?: StoredReport): StoredReport {
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
export function isOfPublished({tools}: TestReport, revisionOf: (id: string) => string | undefined): boolean {
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
