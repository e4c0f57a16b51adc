/** A cell of a table. Numbers are only rounded for display. */
type Cell = string | number

/** Rows keyed by column name. Columns are in the order of their first appearance. */
export type Table = {title: string; rows: readonly Readonly<Record<string, Cell>>[]}

/** Options of a benchmark run. */
export type Run = {
  /** Runs fewer and shorter rounds, for a first impression of a change. */
  quick: boolean
  /** What to do when the benchmark ends for any reason, in reverse order. */
  cleanup: AsyncDisposableStack
  /** Adds a table to the report and prints it. */
  show(table: Table): void
}

/** The name of the column whose cells {@link within} makes. */
const LIMIT = 'limit'
const EXCEEDED = 'exceeded'

/** A cell that says whether a value is within a limit that the documentation promises. */
export function within(value: number, limit: number, unit = ''): {[LIMIT]: string} {
  return {[LIMIT]: `≤ ${limit.toLocaleString('en-US')}${unit}: ${value <= limit ? 'met' : EXCEEDED}`}
}

/** The limits that a table exceeds. */
export function exceededIn({title, rows}: Table): string[] {
  return rows
    .filter((row) => String(row[LIMIT]).endsWith(EXCEEDED))
    .map((row) => `${title}, ${Object.values(row)[0]}: ${row[LIMIT]}`)
}

/** Formats a table in Markdown, with aligned columns so that the source is readable too. */
export function tableText({title, rows}: Table): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column] ?? '')))]
  const isText = columns.map((column) => rows.some((row) => typeof row[column] === 'string'))
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const [head = [], ...body] = cells.map((line) =>
    line.map((cell, index) =>
      isText[index] ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
    ),
  )
  const rule = widths.map((width, index) => (isText[index] ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [`**${title}**`, '', ...[head, rule, ...body].map((line) => `| ${line.join(' | ')} |`)].join('\n')
}

/** Formats the section of a benchmark. Each item of `method` says in one or more sentences how it measures. */
export function sectionText({
  title,
  method,
  tables,
}: {
  title: string
  method: readonly string[]
  tables: readonly Table[]
}): string {
  return [`## ${title}`, method.map((sentence) => `- ${sentence}`).join('\n'), ...tables.map(tableText)].join(
    '\n\n',
  )
}

/** Formats a number with three significant digits and thousands separators. */
function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell
  return cell.toLocaleString(
    'en-US',
    Math.abs(cell) < 1_000 ? {maximumSignificantDigits: 3} : {maximumFractionDigits: 0},
  )
}

/** Returns the value below which this share of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** Returns the median of the ratios between measurements of the same round. */
export function medianRatio(own: readonly number[], baseline: readonly number[]): number {
  return median(own.map((value, round) => value / (baseline[round] ?? Number.NaN)))
}
