import {structuredPatch} from 'diff'

/** A line on each side. Undefined: there is none. */
type DiffRow = {
  readonly before: string | undefined
  readonly after: string | undefined
  readonly isChanged: boolean
}

/** Lines that stay the same and are left out. */
type DiffGap = {readonly skipped: number}

/** Lines around a change that are shown. */
const CONTEXT = 4

/** Lays two texts side by side. Leaves out lines that are far from every change. */
export function diffRows(before: string, after: string): (DiffRow | DiffGap)[] {
  const [from, to] = [ended(before), ended(after)]
  const rows: (DiffRow | DiffGap)[] = []
  let next = 1
  const skipTo = (line: number) => {
    if (line > next) rows.push({skipped: line - next})
  }
  for (const {oldStart, oldLines, lines} of structuredPatch('', '', from, to, '', '', {context: CONTEXT})
    .hunks) {
    skipTo(oldStart)
    rows.push(...rowsOf(lines))
    next = oldStart + oldLines
  }
  skipTo(from.split('\n').length)
  return rows
}

/** @param lines of a unified diff */
function rowsOf(lines: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = []
  const removed: string[] = []
  const flush = () => {
    for (const before of removed.splice(0)) rows.push({before, after: undefined, isChanged: true})
  }
  for (const line of lines) {
    const text = line.slice(1)
    if (line.startsWith('-')) removed.push(text)
    else if (line.startsWith('+')) rows.push({before: removed.shift(), after: text, isChanged: true})
    else {
      flush()
      rows.push({before: text, after: text, isChanged: false})
    }
  }
  flush()
  return rows
}

/** A last line without its end would differ from the same line with one. */
function ended(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
}
