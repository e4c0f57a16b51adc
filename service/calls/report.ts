import {isJsonObject, jsonIn} from '../../common/json.ts'
import {DURATION_BOUNDS, OUTCOMES, type Outcome} from '../../schemas/calls/counts.ts'
import {errors} from '../errors.ts'

/** Calls of one tool on a page that ended in one way and took as long. */
export type ReportedCalls = {
  readonly name: string
  readonly outcome: Outcome
  /** Of `DURATION_BOUNDS`. */
  readonly bucket: number
  readonly count: number
  /** Stands for the first line of an error, see `hashText`. */
  readonly hash: string | undefined
}

/** Maximum rows of a report, and calls. Pages send no more. */
const MAX_ROWS = 100
const MAX_CALLS = 200

/**
 * Parses the body of a report, `{"calls": [[name, outcome, bucket, count, hash?], …]}`.
 * @throws BAD_REQUEST
 */
export function parseReport(text: string): ReportedCalls[] {
  const body = jsonIn(text)
  const rows = isJsonObject(body) ? body.calls : undefined
  if (!Array.isArray(rows)) throw new errors.BAD_REQUEST('the body must be JSON like {"calls": []}.')
  if (rows.length > MAX_ROWS) throw new errors.BAD_REQUEST(`"calls" has more than ${MAX_ROWS} rows.`)
  const report = rows.map((row, at) => {
    const parsed = parseRow(row)
    if (parsed === undefined)
      throw new errors.BAD_REQUEST(
        `row ${at + 1} of "calls" must be a name, an outcome (${OUTCOMES.join(', ')}), a bucket from 0 to ${DURATION_BOUNDS.length}, a number from 1 to ${MAX_CALLS}, and for errors a hash.`,
      )
    return parsed
  })
  const calls = report.reduce((sum, {count}) => sum + count, 0)
  if (calls > MAX_CALLS) throw new errors.BAD_REQUEST(`the rows have more than ${MAX_CALLS} calls together.`)
  return report
}

function parseRow(row: unknown): ReportedCalls | undefined {
  if (!Array.isArray(row) || row.length > 5) return undefined
  const [name, outcome, bucket, count, hash]: unknown[] = row
  const known = OUTCOMES.find((one) => one === outcome)
  if (typeof name !== 'string' || known === undefined) return undefined
  if (!isWhole(bucket, 0, DURATION_BOUNDS.length) || !isWhole(count, 1, MAX_CALLS)) return undefined
  if (hash === undefined) return {name, outcome: known, bucket, count, hash}
  if (known !== 'error' || typeof hash !== 'string' || !/^[0-9a-f]{16}$/.test(hash)) return undefined
  return {name, outcome: known, bucket, count, hash}
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
