import {errorMessage} from '../../../common/errorMessage.ts'
import {shortened} from '../../../schemas/rules/text.ts'
import {CommandError, type Console} from '../../command.ts'
import {send, withRetries} from '../../request.ts'
import type {TestResult} from '../run.ts'

/** A lake, and a token that may report. */
export type ReportTarget = {readonly address: string; readonly token: string}

/** A run of the tests of a site. */
type Run = {
  readonly siteId: string
  /** Empty: unknown. */
  readonly commit: string
  /** The revision of a document that was tested. Undefined: what pages get was tested. */
  readonly revisionOf: (documentId: string) => string | undefined
  readonly results: readonly TestResult[]
  /** Whether only the tests of some tools ran. Studio keeps showing the last run of all. */
  readonly isPartial: boolean
}

/** Milliseconds that the lake has to accept a report. */
const TIMEOUT = 10_000

const LONGEST_NAME = 200
const LONGEST_PROBLEM = 400

/** Sends results to the lake. @throws CommandError if the lake refuses them, or cannot be reached */
export async function reportToLake(
  {address, token}: ReportTarget,
  run: Run,
  console: Console,
): Promise<void> {
  const url = new URL(`/v1/tests/${encodeURIComponent(run.siteId)}`, address)
  const body = JSON.stringify(reportOf(run))
  try {
    await withRetries(url.origin, console, () =>
      send(url, token, {method: 'PUT', body, signal: AbortSignal.timeout(TIMEOUT)}),
    )
  } catch (error) {
    throw new CommandError(`The results could not be reported to ${url.origin}: ${errorMessage(error)}`)
  }
}

function reportOf({commit, revisionOf, results, isPartial}: Run) {
  const tools = [...Map.groupBy(results, ({test}) => test.documentId)].map(([id, group]) => {
    const failed = group.filter(({failures}) => failures.length > 0)
    return {
      id,
      name: shortened(group[0]?.test.toolName ?? '', LONGEST_NAME - 1),
      revision: revisionOf(id),
      passed: group.length - failed.length,
      failed: failed.length,
      problem: shortened(failed[0]?.failures[0] ?? '', LONGEST_PROBLEM),
    }
  })
  return {commit, tools, partial: isPartial}
}
