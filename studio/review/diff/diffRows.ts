import {diffLines} from 'diff'

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
  return withoutFarLines(allRows(before, after))
}

function allRows(before: string, after: string): DiffRow[] {
  const rows: DiffRow[] = []
  let removed: string[] = []
  const flush = (added: readonly string[]) => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      rows.push({before: removed[index], after: added[index], isChanged: true})
    removed = []
  }
  for (const part of diffLines(ended(before), ended(after))) {
    const lines = part.value.split('\n').slice(0, -1)
    if (part.removed) removed = lines
    else if (part.added) flush(lines)
    else {
      flush([])
      for (const line of lines) rows.push({before: line, after: line, isChanged: false})
    }
  }
  flush([])
  return rows
}

function withoutFarLines(rows: readonly DiffRow[]): (DiffRow | DiffGap)[] {
  const near = new Set<number>()
  for (const [index, {isChanged}] of rows.entries())
    if (isChanged) for (let at = index - CONTEXT; at <= index + CONTEXT; at += 1) near.add(at)
  const shown: (DiffRow | DiffGap)[] = []
  let skipped = 0
  for (const [index, row] of rows.entries()) {
    if (!near.has(index)) {
      skipped += 1
      continue
    }
    if (skipped > 0) shown.push({skipped})
    skipped = 0
    shown.push(row)
  }
  return skipped > 0 ? [...shown, {skipped}] : shown
}

/** A last line without its end would differ from the same line with one. */
function ended(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
}
