import {DURATION_BOUNDS} from '../../schemas/calls/counts.ts'
import type {CallsInHour} from './report.ts'
import {callsIn, type NamedTool} from './summary.ts'

/** The calls of each hour as a table for other programs (RFC 4180), the oldest first. */
export function toCsv(hours: readonly CallsInHour[], tools: readonly NamedTool[]): string {
  const names = new Map(tools.map(({id, name}) => [id, name]))
  const columns = [...DURATION_BOUNDS.map((bound) => `up to ${bound} ms`), 'longer']
  const rows = hours
    .toSorted((a, b) => a.time - b.time)
    .map((one) => {
      const name = cellOf(names.get(one.tool) ?? '')
      return [new Date(one.time).toISOString(), name, one.outcome, callsIn(one), ...one.durations]
    })
  return [['hour', 'tool', 'outcome', 'calls', ...columns], ...rows]
    .map((row) => `${row.join(',')}\r\n`)
    .join('')
}

/** A spreadsheet runs a cell that begins with one of these as a formula. https://owasp.org/www-community/attacks/CSV_Injection */
function cellOf(text: string): string {
  return `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`
}
