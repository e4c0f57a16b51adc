import assert from 'node:assert/strict'
import {test} from 'node:test'
import {planImport} from '../../../cli/import/plan.ts'
import {UniqueValues} from '../../../content/uniqueValues.ts'
import {UNIQUE_RULES} from '../../../schemas/unique.ts'

type Imported = {[name: string]: unknown}

/** What an import writes, and what it says about it. The repository has a site. */
function importAll(...documents: readonly Imported[]) {
  const unique = new UniqueValues(UNIQUE_RULES)
  unique.put('bank', {_type: 'site', publicId: 'bank-0001-site'})
  const paths = ['LICENSE', 'README', 'Notes/todo.txt', 'page/folder.json/x.txt']
  const {files, leftOut} = planImport(documents, {documents: new Map(), unique, paths})
  return {
    files: [...files.values()],
    said: leftOut.map(({reason, name}) => `${reason}\n  ${name}\n`).join(''),
    hasProblems: leftOut.some(({isProblem}) => isProblem),
  }
}

test('a type that is the name of a file at the root is left out, in any case', () => {
  for (const type of ['LICENSE', 'license', 'README', 'readme']) {
    const {files, said, hasProblems} = importAll({_id: 'one', _type: type})
    assert.deepEqual(files, [], type)
    assert.match(said, /cannot be in one content repository with/, type)
    assert.equal(hasProblems, true)
  }
  assert.equal(importAll({_id: 'one', _type: 'page'}).files.length, 1)
})

test('a file that would replace a folder, or differ from one by case only, is left out', () => {
  for (const [imported, reason] of [
    [
      {_id: 'folder', _type: 'page'},
      /"page\/folder\.json" cannot be in one content repository with "page\/folder\.json\/"/,
    ],
    [{_id: 'one', _type: 'notes'}, /"notes\/" cannot be in one content repository with "Notes\/"/],
  ] as const) {
    const {files, said} = importAll(imported)
    assert.deepEqual(files, [])
    assert.match(said, reason)
  }
})

test('an import says which document occurs twice', () => {
  const twice = () => importAll({_id: 'one', _type: 'page'}, {_id: 'one', _type: 'page'})
  assert.throws(twice, /the document "one" occurs twice/)
})

test('a document without a name is left out, however odd it is', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  for (const odd of [
    {_type: 'page', deep},
    {_id: {toString: 1}, _type: 'page'},
  ]) {
    const {files, said} = importAll(odd)
    assert.deepEqual(files, [])
    assert.match(said, /without an "_id" or "_type".*\n {2}number 1\n/)
  }
})

test('secrets of preview links are left out, as drafts too', () => {
  for (const _id of ['secret', 'drafts.secret']) {
    const {files, hasProblems} = importAll({_id, _type: 'sanity.previewUrlSecret', secret: 'x'.repeat(40)})
    assert.deepEqual([files, hasProblems], [[], false])
  }
})

test('dates of the future are not kept, and dates of the past are', () => {
  const dates = {_createdAt: '2001-01-01T00:00:00Z', _updatedAt: '9999-01-01T00:00:00Z'}
  const {files} = importAll({_id: 'one', _type: 'page', ...dates})
  assert.match(String(files), /2001-01-01T00:00:00Z/)
  assert.doesNotMatch(String(files), /9999/)
})

test('a site with the public ID of another site is left out, whatever its date', () => {
  const _createdAt = '2001-01-01T00:00:00Z'
  const site = (_id: string, publicId: string) => ({_id, _type: 'site', publicId, _createdAt})
  const {files, said, hasProblems} = importAll(
    site('evil', 'bank-0001-site'),
    site('shop', 'shop-0001-site'),
    site('copy', 'shop-0001-site'),
    site('bank', 'bank-0001-site'),
  )
  assert.equal(files.length, 2)
  assert.match(said, /evil: The public ID "bank-0001-site" belongs to another site, "bank"/)
  assert.match(said, /copy: The public ID "shop-0001-site" belongs to another site, "shop"/)
  assert.equal(hasProblems, true)
})
