import assert from 'node:assert/strict'
import {test} from 'node:test'
import {mismatchOf} from '../../panel/mismatch.ts'

const HITS = {
  type: 'array',
  items: {required: ['id'], properties: {id: {type: 'integer'}, note: {type: 'string'}}},
}

const circular: Record<string, unknown> = {}
circular.self = circular

const ROWS: [result: unknown, schema: unknown, mismatch: RegExp | undefined][] = [
  [{n: 'one'}, undefined, undefined],
  [{n: 1}, {properties: {n: {type: 'number'}}}, undefined],
  [
    {n: 'one'},
    {properties: {n: {type: 'number'}}},
    /^Invalid result\.n: "one" must match "type": "number"\.$/,
  ],
  ['done', {type: 'object'}, /^Invalid result: "done" must match "type": "object"/],
  ['done', {type: 'string'}, undefined],
  [[{id: 1}], HITS, undefined],
  [[{}], HITS, /^Invalid result\.0: {} lacks \["id"\]/],
  [[{id: 1, note: null}], HITS, /is null/],
  [null, {type: ['object', 'null']}, undefined],
  [null, {type: 'object'}, /null must match/],
  [undefined, {type: 'object'}, /JSON can hold/],
  [circular, {type: 'object'}, /JSON can hold/],
  [{at: new Date(0)}, {properties: {at: {type: 'string'}}}, undefined],
  [{content: [], structuredContent: {n: 1}}, {required: ['n']}, undefined],
  [{content: [], structuredContent: {}}, {required: ['n']}, /lacks/],
]
for (const [result, schema, mismatch] of ROWS) {
  test(`a result compared with ${JSON.stringify(schema)}: ${mismatch ?? 'matches'}`, () => {
    const found = mismatchOf(result, schema)
    if (mismatch === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', mismatch)
  })
}
