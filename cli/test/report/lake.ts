import {errorMessage} from '../../../common/errorMessage.ts'
import {isRecord, parseJson} from '../../../schemas/rules/json.ts'
import {shortened} from '../../../schemas/tests/shape.ts'
import {CommandError, type Console} from '../../command.ts'
import {printable} from '../../printable.ts'
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

/** Milliseconds that the lake has to accept a report, and before each further attempt. */
const TIMEOUT = 10_000
const WAITS = [1_000, 5_000]

const LONGEST_NAME = 200
const LONGEST_PROBLEM = 400

/** Sends results to the lake. @throws CommandError if the lake refuses them, or cannot be reached */
export async function reportToLake({address, token}: ReportTarget, run: Run, {wait}: Console): Promise<void> {
  const url = new URL(`/v1/tests/${encodeURIComponent(run.siteId)}`, address)
  const send = async () => {
    const response = await fetch(url, {
      method: 'PUT',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify(reportOf(run)),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    return {status: response.status, text: await response.text()}
  }
  let problem = ''
  for (const pause of [0, ...WAITS]) {
    if (pause > 0) await wait(pause)
    try {
      const {status, text} = await send()
      if (status < 300) return
      problem = `${status} ${messageIn(text)}`.trim()
      if (status < 500 && status !== 429) break
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
      problem = errorMessage(cause)
    }
  }
  throw new CommandError(`The results could not be reported to ${url.origin}: ${printable(problem)}`)
}

function messageIn(text: string): string {
  const body = parseJson(text, 'body')
  if (!body.ok || !isRecord(body.value)) return ''
  const {message, error} = body.value
  const description = isRecord(error) ? error.description : error
  return [message, description].find((one) => typeof one === 'string') ?? ''
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
