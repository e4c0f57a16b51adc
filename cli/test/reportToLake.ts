import {errorMessage} from '../../common/errorMessage.ts'
import {shortened} from '../../schemas/rules/text.ts'
import {CommandError, type Console} from '../command.ts'
import {send, withRetries} from '../request.ts'

/** A lake, and a token that may report. */
export type ReportTarget = {readonly address: string; readonly token: string}

/** A run of the tests of a site. */
export type ReportRun = {
  readonly siteId: string
  /** Empty: unknown. */
  readonly commit: string
  /** The revisions of the documents that were tested. Undefined: what pages get was tested. */
  readonly revisions?: Readonly<Record<string, string>> | undefined
  /** Whether only the tests of some tools ran. Studio keeps showing the last run of all. */
  readonly isPartial: boolean
}

/** What came of a test of a tool. */
export type Reported = {readonly id: string; readonly name: string; readonly failure?: string | undefined}

/** Milliseconds that the lake has to accept a report. */
const TIMEOUT = 10_000

const LONGEST_NAME = 200
const LONGEST_PROBLEM = 400

/** Sends results to the lake. @throws CommandError if the lake refuses them, or cannot be reached */
export async function reportToLake(
  {address, token}: ReportTarget,
  {siteId, commit, revisions, isPartial}: ReportRun,
  results: readonly Reported[],
  console: Pick<Console, 'error' | 'wait'>,
): Promise<void> {
  const tools = [...Map.groupBy(results, ({id}) => id)].map(([id, group]) => {
    const failures = group.flatMap(({failure}) => failure ?? [])
    return {
      id,
      name: shortened(group[0]?.name ?? '', LONGEST_NAME - 1),
      revision: revisions?.[id],
      passed: group.length - failures.length,
      failed: failures.length,
      problem: shortened(failures[0] ?? '', LONGEST_PROBLEM),
    }
  })
  const url = new URL(`/v1/tests/${encodeURIComponent(siteId)}`, address)
  const body = JSON.stringify({commit, tools, partial: isPartial})
  try {
    await withRetries(url.origin, console, () =>
      send(url, token, {method: 'PUT', body, signal: AbortSignal.timeout(TIMEOUT)}),
    )
  } catch (error) {
    throw new CommandError(`The results could not be reported to ${url.origin}: ${errorMessage(error)}`)
  }
}
