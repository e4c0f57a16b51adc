import assert from 'node:assert/strict'
import {test} from 'node:test'
import {sortDocument} from '../../../cli/import/sort.ts'
import {Tally, writesFor} from '../../../cli/import/writes.ts'
import {DocumentGroups} from '../../../cli/transfer/documentGroups.ts'
import {Layout} from '../../../lake/documents/layout/layout.ts'
import {UniqueValues} from '../../../lake/documents/uniqueValues.ts'
import {UNIQUE_RULES} from '../../../schemas/siteRules.ts'

type Imported = {_id: string; _type: string; [name: string]: unknown}

/** What an import writes, and what it says about it. The repository has a site. */
async function importAll(...documents: readonly Imported[]) {
  async function* source() {
    yield* documents
  }
  const unique = new UniqueValues(UNIQUE_RULES)
  unique.put('bank', {_type: 'site', publicId: 'bank-0001-site'})
  const leftOut = new DocumentGroups('Left out')
  const tally = new Tally(leftOut, true)
  const known = {layout: Layout.ONE_FILE, documents: new Map(), unique, rootFiles: ['lake.json', 'README']}
  const files: string[] = []
  for await (const write of writesFor(source(), known, false, tally)) files.push(...write.files.values())
  return {files, drafts: tally.drafts, said: String(leftOut), hasProblems: leftOut.hasProblems}
}

test('a type that is the name of a file at the root is left out, in any case', async () => {
  for (const type of ['lake.json', 'LAKE.JSON', 'README', 'readme']) {
    const {files, said, hasProblems} = await importAll({_id: 'one', _type: type})
    assert.deepEqual(files, [], type)
    assert.match(said, /is the name of a file of the content repository/, type)
    assert.equal(hasProblems, true)
  }
  assert.equal((await importAll({_id: 'one', _type: 'page'})).files.length, 1)
})

test('secrets of preview links are left out, as drafts too', () => {
  for (const id of ['secret', 'drafts.secret']) {
    const sorted = sortDocument({_id: id, _type: 'sanity.previewUrlSecret', secret: 'x'.repeat(40)})
    assert.equal(sorted.kind, 'left out')
  }
})

test('dates of the future are not kept, and dates of the past are', async () => {
  const dates = {_createdAt: '2001-01-01T00:00:00Z', _updatedAt: '9999-01-01T00:00:00Z'}
  const {files} = await importAll({_id: 'one', _type: 'page', ...dates})
  assert.match(String(files), /2001-01-01T00:00:00Z/)
  assert.doesNotMatch(String(files), /9999/)
})

test('a site with the public ID of another site is left out, whatever its date', async () => {
  const _createdAt = '2001-01-01T00:00:00Z'
  const site = (_id: string, publicId: string) => ({_id, _type: 'site', publicId, _createdAt})
  const {files, said, hasProblems} = await importAll(
    site('evil', 'bank-0001-site'),
    site('shop', 'shop-0001-site'),
    site('copy', 'shop-0001-site'),
    site('bank', 'bank-0001-site'),
  )
  assert.equal(files.length, 2)
  assert.match(said, /evil: The public ID "bank-0001-site" belongs to the site "bank"/)
  assert.match(said, /copy: The public ID "shop-0001-site" belongs to the site "shop"/)
  assert.equal(hasProblems, true)
})
