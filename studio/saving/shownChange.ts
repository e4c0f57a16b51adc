import {DIFF_DELETE, DIFF_EQUAL, type Diff, parsePatch} from '@sanity/diff-match-patch'
import {isRecord} from '../../schemas/rules/json.ts'
import {actionsIn} from './saves.ts'

/**
 * Whether a form shows what a save wrote.
 * @param body of the save
 * @param valueAt the value of the form at a path
 */
export function isShown(body: string, valueAt: (path: string) => unknown): boolean {
  const patches = actionsIn(body).map((action) =>
    isRecord(action) && isRecord(action.patch) ? action.patch : {},
  )
  const written = patches.flatMap(({set, diffMatchPatch}) => [
    ...entriesOf(set).map(([path, value]) => isSame(value, valueAt(path))),
    ...entriesOf(diffMatchPatch).map(([path, patch]) => isIn(String(patch), valueAt(path))),
  ])
  // What was typed first may have been typed over since.
  return written.at(-1) ?? false
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

/** Somebody may have typed more after a text. */
function isSame(written: unknown, shown: unknown): boolean {
  return typeof written === 'string' && typeof shown === 'string'
    ? shown.startsWith(written)
    : JSON.stringify(written) === JSON.stringify(shown)
}

/** Whether a text has what a patch writes, after what the patch expects before it. */
function isIn(patch: string, text: unknown): boolean {
  if (typeof text !== 'string') return false
  return parsePatch(patch).every(({diffs, start2}) => {
    const written = withoutEnd(diffs)
      .map(([type, part]) => (type === DIFF_DELETE ? '' : part))
      .join('')
    return start2 === 0 ? text.startsWith(written) : text.includes(written)
  })
}

/** Without the unchanged text after an insertion: somebody may have typed more there. After a deletion, it tells. */
function withoutEnd(diffs: readonly Diff[]): readonly Diff[] {
  const isEnd = diffs.at(-1)?.[0] === DIFF_EQUAL && diffs.at(-2)?.[0] !== DIFF_DELETE
  return isEnd ? diffs.slice(0, -1) : diffs
}
