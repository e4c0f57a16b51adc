import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {evaluate, parse} from 'groq-js'
import type {JsonObject} from '../../../common/json.ts'
import {run} from '../../../lake/query/run.ts'
import {runs} from '../../runner/runs.ts'
import {environment, storeOf} from '../support/documents.ts'
import {params} from './queries.ts'
import {randomDataset} from './random.ts'
import {randomQuery} from './randomQuery.ts'

/** As a client receives it. */
function json(value: unknown): unknown {
  const parsed: unknown = JSON.parse(JSON.stringify(value ?? null))
  return parsed
}

/** The result of groq-js, or undefined if it fails. */
async function plainly(query: string, dataset: readonly JsonObject[]): Promise<unknown> {
  const tree = parse(query, {params})
  try {
    return json(await (await evaluate(tree, {dataset, params, sanity: environment, identity: 'x'})).get())
  } catch {
    return undefined
  }
}

test('random queries return the same as groq-js', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(randomQuery, randomDataset, async (query, dataset) => {
      const view = storeOf(...dataset).view('raw')
      fc.pre(canBeParsed(query))
      const expected = await plainly(query, view.all())
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
