/** A value of a table. Numbers are rounded when they are shown, not before. */
export type Cell = string | number

/** Rows by the names of their columns, which stand in the order of their first appearance. */
export type Table = {title: string; rows: readonly Readonly<Record<string, Cell>>[]}

/** What a benchmark says of itself. */
export type Summary = {
  title: string
  /** How it measures: one sentence or more for each item. */
  method: readonly string[]
}

/** What a benchmark found: when, and on what. */
export type Report = Summary & {date: string; machine: string; tables: readonly Table[]}

/** A table in Markdown, its columns aligned so that it can be read as it is. */
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

/** The part of RESULTS.md that is a benchmark's. */
export function sectionText({title, method, date, machine, tables}: Report): string {
  return [
    headingOf(title),
    `${date}, ${machine}.`,
    method.map((sentence) => `- ${sentence}`).join('\n'),
    ...tables.map(tableText),
  ].join('\n\n')
}

/** Puts a benchmark's section in the place of its last one, and leaves the others as they are. */
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

/** Three significant digits, thousands apart. */
function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell
  return cell.toLocaleString(
    'en-US',
    Math.abs(cell) < 1_000 ? {maximumSignificantDigits: 3} : {maximumFractionDigits: 0},
  )
}
