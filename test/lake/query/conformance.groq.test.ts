import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {evaluate, parse} from 'groq-js'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import type {View} from '../../../content/view.ts'
import {run} from '../../../lake/query/run.ts'
import {findGroqSuite} from '../../runner/groqSuite.ts'
import {environment, storeOf} from '../support/documents.ts'

/** Tests of each file: there are thousands that differ in one value. */
const TESTS_OF_FILE = 12

/** The entries of GROQ's official suite. */
function entriesOf(path: string): JsonObject[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line): unknown => JSON.parse(line)).filter(isJsonObject)
}

/** Some tests of each file, with the documents that they query. */
function* testsOf(entries: readonly JsonObject[]) {
  const datasets = new Map(entries.map(({_id, documents}) => [_id, documents]))
  const views = new Map<unknown, View>()
  const taken = new Map<unknown, number>()
  for (const {_type, filename, name, query, params, result, valid, dataset} of entries) {
    if (_type !== 'test' || valid === false || typeof query !== 'string' || !isJsonObject(dataset)) continue
    // What changed is asked by the filters of hosted webhooks.
    if (query.includes('diff::')) continue
    const count = (taken.get(filename) ?? 0) + 1
    taken.set(filename, count)
    const documents = datasets.get(dataset._ref)
    if (count > TESTS_OF_FILE || !Array.isArray(documents)) continue
    const stored = documents.map((document, at) => ({_id: `document-${at}`, _type: 'none', ...document}))
    const view = views.get(dataset._ref) ?? storeOf(...stored).view('raw')
    views.set(dataset._ref, view)
    const given = isJsonObject(params) ? params : {}
    yield {name: `${filename}: ${name}: ${query}`, query, params: given, view, expected: plain(result)}
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

function isEqual(value: unknown, expected: unknown): boolean {
  try {
    assert.deepEqual(plain(value), expected)
    return true
  } catch {
    return false
  }
}

test('every test of GROQ’s official suite that groq-js passes', async (t) => {
  const lost: string[] = []
  let passed = 0
  for (const {name, query, params, view, expected} of testsOf(entriesOf(findGroqSuite() ?? ''))) {
    const dataset = view.all()
    const theirs = async () =>
      (await evaluate(parse(query, {params}), {dataset, params, sanity: environment})).get()
    const ours = () => run(query, params, view, environment).result
    const [isTheirs, isOurs] = await Promise.all(
      [theirs, async () => ours()].map((ask) =>
        ask().then(
          (value) => isEqual(value, expected),
          () => false,
        ),
      ),
    )
    if (isOurs) passed += 1
    else if (isTheirs) lost.push(name)
  }
  t.diagnostic(`${passed} passed`)
  assert.deepEqual(lost, [])
  assert.ok(passed > 1_000)
})
