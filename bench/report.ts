/** A value of a table. Numbers are rounded when they are shown, not before. */
export type Cell = string | number

/** Rows by the names of their columns, which stand in the order of their first appearance. */
export type Table = {title: string; rows: readonly Readonly<Record<string, Cell>>[]}

/** What a benchmark found, and how. */
export type Report = {
  title: string
  /** Sentences. */
  method: readonly string[]
  tables: readonly Table[]
}

/** A table in Markdown, its columns aligned so that it can be read as it is. */
export function tableText({title, rows}: Table): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column] ?? '')))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const isNumeric = columns.map((column) => rows.every((row) => typeof row[column] !== 'string'))
  const padded = cells.map((line) =>
    line.map((cell, index) =>
      isNumeric[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
    ),
  )
  const rule = widths.map((width, index) =>
    isNumeric[index] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  const [head = [], ...body] = padded
  return [`**${title}**`, '', ...[head, rule, ...body].map((line) => `| ${line.join(' | ')} |`)].join('\n')
}

/** Three significant digits, thousands apart. */
function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell
  const digits = Math.abs(cell) >= 100 ? 0 : Math.abs(cell) >= 10 ? 1 : 2
  return cell.toLocaleString('en-US', {maximumFractionDigits: Number.isInteger(cell) ? 0 : digits})
}
