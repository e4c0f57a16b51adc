import assert from 'node:assert/strict'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'node:test'
import {isJsonObject} from '../../common/json.ts'
import {DOCS, MANIFEST, PICTURES, sources} from './pictures.ts'

const texts: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'))
const known = sources()

for (const name of Object.keys(PICTURES)) {
  test(`docs/${name} shows what Studio, the panel and the demo shop say today`, () => {
    assert.ok(existsSync(join(DOCS, name)))
    const shown = isJsonObject(texts) ? texts[name] : undefined
    assert.ok(Array.isArray(shown) && shown.length > 0)
    const old = shown.filter((text) => typeof text !== 'string' || !known.includes(text))
    assert.deepEqual(old, [], 'The picture is older than what it shows: run "npm run pictures".')
  })
}
