import {deepEqual} from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {evaluate, parse} from 'groq-js'
import type {JsonObject} from '../../../common/json.ts'
import {DocumentStore} from '../../../content/store.ts'
import {run} from '../../../lake/query/run.ts'
import {change, environment} from '../support/documents.ts'
import {params, queries} from './queries.ts'
import {randomDataset} from './random.ts'

/** The result of plain groq-js, which scans every document. */
async function plainly(query: string, given: JsonObject, dataset: readonly JsonObject[]): Promise<unknown> {
  const value = await evaluate(parse(query, {params: given}), {
    dataset,
    params: given,
    identity: environment.identity,
    sanity: environment,
  })
  return json(await value.get())
}

/** As a client receives it. */
function json(value: unknown): unknown {
  const parsed: unknown = JSON.parse(JSON.stringify(value ?? null))
  return parsed
}

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
