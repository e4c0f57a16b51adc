/** A cell of a table. Numbers are only rounded for display. */
export type Cell = string | number

/** Rows keyed by column name. Columns are in the order of their first appearance. */
export type Table = {title: string; rows: readonly Readonly<Record<string, Cell>>[]}

/** The description of a benchmark. */
export type Summary = {
  title: string
  /** How it measures; each item has one or more sentences. */
  method: readonly string[]
}

/** The results of a benchmark, with the date and the machine. */
export type Report = Summary & {date: string; machine: string; tables: readonly Table[]}

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

/** Formats the section of a benchmark in RESULTS.md. */
export function sectionText({title, method, date, machine, tables}: Report): string {
  return [
    headingOf(title),
    `${date}, ${machine}.`,
    method.map((sentence) => `- ${sentence}`).join('\n'),
    ...tables.map(tableText),
  ].join('\n\n')
}

/** Replaces the section of a benchmark and keeps the others. */
export function withSection(text: string, report: Report): string {
  const [head = '', ...sections] = text.trim().split(/^(?=## )/m)
  const isOther = (section: string) => !section.startsWith(`${headingOf(report.title)}\n`)
  const index = sections.findIndex((section) => !isOther(section))
  const all = index === -1 ? [...sections, ''] : [...sections]
  all[index === -1 ? all.length - 1 : index] = sectionText(report)
  return `${[head, ...all].map((part) => part.trim()).join('\n\n')}\n`
}

function headingOf(title: string): string {
  return `## ${title}`
}

/** Formats a number with three significant digits and thousands separators. */
function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell
  return cell.toLocaleString(
    'en-US',
    Math.abs(cell) < 1_000 ? {maximumSignificantDigits: 3} : {maximumFractionDigits: 0},
  )
}
