import assert from 'node:assert/strict'
import {test} from 'node:test'
import {holdersOf} from '../../../studio/releases/held.ts'
import {add, later, release} from '../../lake/releases/releaseActions.ts'
import {assertDone, runReviewLake} from '../../lake/write/reviews/reviewLake.ts'

test('a document names the scheduled releases that hold it, the next first', async (t) => {
  const {lake, people} = await runReviewLake(t)
  const [soon, late] = [later(3_600_000), later(7_200_000)]
  for (const [name, title, id, publishAt] of [
    ['rLate', 'Late', 'free-tool', late],
    ['rSoon', undefined, 'free-tool', soon],
    ['rOther', 'Other', 'code-tool', soon],
    ['rActive', 'Active', 'free-tool', undefined],
  ] as const) {
    const site = id === 'free-tool' ? 'free' : 'code'
    const made = release('create', name, {metadata: {title, releaseType: 'undecided'}})
    assertDone(await people.writer.actions(made, add(id, site, {title: name}, name)))
    if (publishAt) assertDone(await people.writer.actions(release('schedule', name, {publishAt})))
  }
  const holders = await holdersOf(lake.client, 'free-tool')
  assert.deepEqual(
    holders?.map(({title, publishAt}) => [title, publishAt]),
    [
      ['rSoon', soon],
      ['Late', late],
    ],
  )
  assert.equal(await holdersOf(lake.client, 'all-tool'), undefined)
})
