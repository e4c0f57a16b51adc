import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {parse} from 'groq-js'
import {run} from '../../../lake/query/run.ts'
import {runs} from '../../runner/runs.ts'
import {environment, storeOf} from '../support/documents.ts'
import {json, plainly} from './groqJs.ts'
import {params} from './queries.ts'
import {randomDataset} from './random.ts'
import {randomQuery} from './randomQuery.ts'

test('random queries return the same as groq-js', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(randomQuery, randomDataset, async (query, dataset) => {
      const view = storeOf(...dataset).view('raw')
      fc.pre(canBeParsed(query))
      // groq-js fails for some.
      const expected = await plainly(query, params, view.all()).catch(() => undefined)
      fc.pre(expected !== undefined)
      const {result} = run(query, params, view, environment)
      assert.deepEqual(json(result), expected)
      compared += 1
    }),
    {numRuns: runs(1_000), maxSkipsPerRun: 1_000},
  )
  assert.ok(compared > 0)
})

function canBeParsed(query: string): boolean {
  try {
    parse(query, {params})
    return true
  } catch {
    return false
  }
}
