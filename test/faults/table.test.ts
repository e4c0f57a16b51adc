import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {FAULTS} from './table.ts'

test('the text that a fault replaces is in its file exactly once', async () => {
  const wrong: string[] = []
  for (const {name, file, find} of FAULTS) {
    const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8').catch(() => '')
    if (text.split(find).length !== 2) wrong.push(`${name} (${file})`)
  }
  assert.deepEqual(wrong, [])
})

test('each fault has a name of its own', () => {
  assert.equal(new Set(FAULTS.map(({name}) => name)).size, FAULTS.length)
})
