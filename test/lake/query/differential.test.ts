import {deepEqual} from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {DocumentStore} from '../../../content/store.ts'
import {run} from '../../../lake/query/run.ts'
import {change, environment} from '../support/documents.ts'
import {json, plainly} from './groqJs.ts'
import {params, queries} from './queries.ts'
import {randomDataset} from './random.ts'

for (const query of queries) {
  test(`index lookups return the same as a full scan: ${query}`, async () => {
    await fc.assert(
      fc.asyncProperty(randomDataset, randomDataset, async (before, after) => {
        const store = new DocumentStore()
        change(store, ...before)
        // This builds the indexes, which must follow later changes.
        await run(query, params, store.view('raw'), environment)
        change(store, ...before.map(({_id}) => _id), ...after)
        const view = store.view('raw')
        const {result} = await run(query, params, view, environment)
        deepEqual(json(result), await plainly(query, params, view.all()))
      }),
      {numRuns: 40},
    )
  })
}
