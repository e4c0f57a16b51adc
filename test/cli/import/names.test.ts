import assert from 'node:assert/strict'
import {test} from 'node:test'
import {planImport} from '../../../cli/import/plan.ts'
import {sortDocument} from '../../../cli/import/sort.ts'
import {DocumentGroups} from '../../../cli/transfer/documentGroups.ts'
import {UniqueValues} from '../../../content/uniqueValues.ts'
import {UNIQUE_RULES} from '../../../schemas/siteRules.ts'

type Imported = {[name: string]: unknown}

/** What an import writes, and what it says about it. The repository has a site. */
function importAll(...documents: readonly Imported[]) {
  const unique = new UniqueValues(UNIQUE_RULES)
  unique.put('bank', {_type: 'site', publicId: 'bank-0001-site'})
  const leftOut = new DocumentGroups('Left out')
  const paths = ['LICENSE', 'README', 'Notes/todo.txt', 'page/folder.json/x.txt']
  const known = {
    documents: new Map(),
    unique,
    paths,
    typeOfDraft: (id: string) => (id === 'drafts.bank' ? 'site' : undefined),
  }
  const {writes, drafts} = planImport(documents, known, {missing: false, drafts: true}, leftOut)
  const files = [...writes.values()].flatMap((write) => [...write.files.values()])
  const ids = [...writes.keys(), ...drafts.map(({_id}) => _id)].toSorted()
  return {files, ids, drafts, said: String(leftOut), hasProblems: leftOut.hasProblems}
}

test('a type that is the name of a file at the root is left out, in any case', () => {
  for (const type of ['LICENSE', 'license', 'README', 'readme']) {
    const {files, said, hasProblems} = importAll({_id: 'one', _type: type})
    assert.deepEqual(files, [], type)
    assert.match(said, /is the name of a file of the content repository/, type)
    assert.equal(hasProblems, true)
  }
  assert.equal(importAll({_id: 'one', _type: 'page'}).files.length, 1)
})

test('a file that would replace a folder, or differ from one by case only, is left out', () => {
  for (const [imported, reason] of [
    [{_id: 'folder', _type: 'page'}, /"page\/folder\.json" is a folder of the content repository/],
    [{_id: 'one', _type: 'notes'}, /the type "notes" would differ only by case from "Notes"/],
  ] as const) {
    const {files, said} = importAll(imported)
    assert.deepEqual(files, [])
    assert.match(said, reason)
  }
})

test('a document that references nothing is left out, with those that reference it', () => {
  const reference = (_ref: string, more = {}) => ({_type: 'reference', _ref, ...more})
  const {ids, said, hasProblems} = importAll(
    {_id: 'three', _type: 'page', next: reference('two')},
    {_id: 'two', _type: 'page', next: reference('nothing')},
    {_id: 'weak', _type: 'page', next: reference('nothing', {_weak: true})},
    {_id: 'drafts.two', _type: 'page', next: reference('image-abc-1x1-png')},
    {_id: 'five', _type: 'page', next: reference('six')},
    {_id: 'six', _type: 'page', next: reference('five')},
    {_id: 'seven', _type: 'page', next: reference('con')},
    {_id: 'con', _type: 'page'},
  )
  assert.deepEqual(ids, ['five', 'six', 'weak'])
  assert.match(said, /Left out: 4 that reference what does not exist\n.*two, which references "nothing"/)
  assert.match(said, /three, which references "two"/)
  assert.equal(hasProblems, true)
})

test('a draft of another type than its document has, or gets, is left out', () => {
  const {drafts, said} = importAll(
    {_id: 'drafts.bank', _type: 'tool'},
    {_id: 'drafts.one', _type: 'tool'},
    {_id: 'one', _type: 'page'},
    {_id: 'drafts.two', _type: 'page'},
  )
  assert.deepEqual(
    drafts.map(({_id}) => _id),
    ['drafts.two'],
  )
  assert.match(said, /drafts\.bank: the repository has it as site, and a document keeps its type/)
  assert.match(said, /drafts\.one: the repository has it as page/)
})

test('an import says which document occurs twice, drafts too', () => {
  for (const _id of ['one', 'drafts.one'])
    assert.throws(
      () => importAll({_id, _type: 'page'}, {_id, _type: 'page'}),
      new RegExp(`the document "${_id}" occurs twice`),
    )
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
  for (const id of ['secret', 'drafts.secret']) {
    const sorted = sortDocument({_id: id, _type: 'sanity.previewUrlSecret', secret: 'x'.repeat(40)})
    assert.equal(sorted.kind, 'left out')
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
  assert.match(said, /evil: The public ID "bank-0001-site" belongs to the site "bank"/)
  assert.match(said, /copy: The public ID "shop-0001-site" belongs to the site "shop"/)
  assert.equal(hasProblems, true)
})
