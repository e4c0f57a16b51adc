import type {DiffComponent, ObjectDiff} from 'sanity'
import {Words} from './diffTable.tsx'
import {wordRows} from './words.ts'

/** Shows a change of an action in "Review changes" as rows: what it sends, reads, returns. */
export function actionDiffOf(field: string): DiffComponent<ObjectDiff> {
  return ({diff: {fromValue: before, toValue: after}}) => (
    <div data-testid="action-diff">
      <Words isNew={false} rows={wordRows({field, before, after}, new Map()) ?? []} />
    </div>
  )
}
