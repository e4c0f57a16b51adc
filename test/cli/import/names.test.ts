import assert from 'node:assert/strict'
import {test} from 'node:test'
import {sortDocument} from '../../../cli/import/sort.ts'
import {Tally, writesFor} from '../../../cli/import/writes.ts'
import {DocumentGroups} from '../../../cli/transfer/documentGroups.ts'
import {Layout} from '../../../lake/documents/layout/layout.ts'

/** What an import of one document writes, and what it says about it. */
async function importOne(document: {_id: string; _type: string; [name: string]: unknown}) {
  async function* source() {
    yield document
  }
  const leftOut = new DocumentGroups('Left out')
  const tally = new Tally(leftOut, true)
  const known = {layout: Layout.ONE_FILE, documents: new Map(), rootFiles: ['lake.json', 'README', 'Straße']}
  const files: string[] = []
  for await (const write of writesFor(source(), known, false, tally)) files.push(...write.files.values())
  return {files, drafts: tally.drafts, said: String(leftOut), hasProblems: leftOut.hasProblems}
}

test('a type that is the name of a file at the root is left out, in any case', async () => {
  for (const type of ['lake.json', 'LAKE.JSON', 'README', 'readme']) {
    const {files, said, hasProblems} = await importOne({_id: 'one', _type: type})
    assert.deepEqual(files, [], type)
    assert.match(said, /is the name of a file of the content repository/, type)
    assert.equal(hasProblems, true)
  }
  assert.equal((await importOne({_id: 'one', _type: 'page'})).files.length, 1)
})

test('secrets of preview links are left out, as drafts too', () => {
  for (const id of ['secret', 'drafts.secret']) {
    const sorted = sortDocument({_id: id, _type: 'sanity.previewUrlSecret', secret: 'x'.repeat(40)})
    assert.equal(sorted.kind, 'left out')
  }
})

test('dates of the future are not kept, and dates of the past are', async () => {
  const dates = {_createdAt: '2001-01-01T00:00:00Z', _updatedAt: '9999-01-01T00:00:00Z'}
  const {files} = await importOne({_id: 'one', _type: 'page', ...dates})
  assert.match(String(files), /2001-01-01T00:00:00Z/)
  assert.doesNotMatch(String(files), /9999/)
})
