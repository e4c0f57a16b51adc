/** Rows keyed by column name. Columns are in the order of their first appearance. Numbers are only rounded for display. */
export type Table = {title: string; rows: readonly Readonly<Record<string, string | number>>[]}

/** Options of a benchmark run. */
export type Run = {
  /** Runs fewer and shorter rounds, for a first impression of a change. */
  quick: boolean
  /** What to do when the benchmark ends for any reason, in reverse order. */
  cleanup: AsyncDisposableStack
  /** Prints a table. */
  show(table: Table): void
}

/** A cell that says whether a value is within a limit that the documentation promises. If not, the run fails. */
export function within(value: number, limit: number, unit = ''): {limit: string} {
  if (value > limit) process.exitCode = 1
  return {limit: `≤ ${limit.toLocaleString('en-US')}${unit}: ${value <= limit ? 'met' : 'exceeded'}`}
}

/** Formats a table in Markdown. */
export function tableText({title, rows}: Table): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((one) => cellText(row[one])))
  const lines = [columns, columns.map(() => '---'), ...cells]
  return [`**${title}**`, '', ...lines.map((line) => `| ${line.join(' | ')} |`)].join('\n')
}

/** Formats a number with three significant digits and thousands separators. */
function cellText(cell: string | number = ''): string {
  if (typeof cell === 'string') return cell
  const digits = Math.abs(cell) < 1_000 ? {maximumSignificantDigits: 3} : {maximumFractionDigits: 0}
  return cell.toLocaleString('en-US', digits)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}
