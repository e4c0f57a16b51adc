import {DURATION_BOUNDS} from '../../schemas/calls/counts.ts'
import type {CallsInHour} from './report.ts'
import {callsIn} from './summary.ts'
import {durationText} from './words.ts'

/**
 * The calls of each hour as a table for other programs (RFC 4180).
 * @param names of tools by their IDs
 */
export function toCsv(hours: readonly CallsInHour[], names: ReadonlyMap<string, string>): string {
  const columns = [...DURATION_BOUNDS.map((bound) => `up to ${durationText(bound)}`), 'longer']
  const rows = hours
    .toSorted((a, b) => a.time - b.time)
    .map((hour) => {
      const {time, tool, outcome, durations} = hour
      return [new Date(time).toISOString(), names.get(tool) ?? '', tool, outcome, callsIn(hour), ...durations]
    })
  return [['hour', 'tool', 'tool ID', 'outcome', 'calls', ...columns], ...rows]
    .map((row) => `${row.map(cellOf).join(',')}\r\n`)
    .join('')
}

/** A spreadsheet runs a cell that begins with one of these as a formula. https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(value: string | number): string {
  const text = String(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
