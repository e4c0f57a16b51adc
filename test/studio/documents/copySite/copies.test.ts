import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {StoredDocument} from '../../../../schemas/documents.ts'
import {copySite} from '../../../../studio/documents/copySite/copies.ts'

const OWN = {_rev: '1', _createdAt: '2026-01-01T00:00:00Z', _updatedAt: '2026-01-01T00:00:00Z'}
const reference = (siteId: string) => ({_type: 'reference', _ref: siteId})
const site = {
  ...OWN,
  _id: 'shop',
  _type: 'site',
  name: 'Shop',
  publicId: 'demo-shop',
  addresses: ['https://shop.example'],
  review: 'all',
}
const tool = {
  ...OWN,
  _id: 'find',
  _type: 'tool',
  name: 'find',
  executeJs: 'return 1',
  site: reference('shop'),
}
const documents: StoredDocument[] = [
  site,
  tool,
  {...tool, _id: 'drafts.find', executeJs: 'return 2'},
  {...tool, _id: 'drafts.form', _type: 'formTool', name: 'form'},
  // A tool that its draft moves to another site, and one that comes from there: the query selects what is on this one.
  {...tool, _id: 'leaves', name: 'leaves'},
  {...tool, _id: 'drafts.comes', name: 'comes'},
]

function copied(isPublished: boolean, address?: string) {
  let count = 0
  const newId = () => {
    count += 1
    return `new${count}`
  }
  return copySite(documents, {name: 'Test', address, isPublished}, newId)
}

test('a copy consists of drafts with ids of their own, which reference the copy weakly', () => {
  const {siteId, documents: all} = copied(false)
  const byName = new Map(all.map((document) => ['name' in document ? document.name : '', document]))
  assert.deepEqual([...byName.keys()].sort(), ['Test', 'comes', 'find', 'form', 'leaves'])
  assert.ok(all.every(({_id}) => _id.startsWith('drafts.new')))
  assert.equal(new Set(all.map(({_id}) => _id)).size, 5)
  assert.ok(
    all.every((document) => !('_rev' in document || '_createdAt' in document || '_updatedAt' in document)),
  )
  assert.deepEqual(byName.get('find'), {
    _id: byName.get('find')?._id,
    _type: 'tool',
    name: 'find',
    executeJs: 'return 2',
    site: {_type: 'reference', _ref: siteId, _weak: true, _strengthenOnPublish: {type: 'site'}},
  })
})

test('a copy has a new public ID, the given address, and keeps the other settings', () => {
  const siteIn = (address?: string) => copied(false, address).documents.find(({_type}) => _type === 'site')
  const found = siteIn('https://test.example')
  assert.ok(found && 'publicId' in found && 'addresses' in found && 'review' in found)
  assert.notEqual(found.publicId, 'demo-shop')
  assert.match(String(found.publicId), /^[a-z0-9]{20}$/)
  assert.deepEqual([found.addresses, found.review], [['https://test.example'], 'all'])
  assert.equal('addresses' in (siteIn() ?? {}), false)
})

test('a published copy has what is published, and drafts of what is a draft', () => {
  const {siteId, documents: all} = copied(true)
  const published = all.filter(({_id}) => !_id.startsWith('drafts.'))
  const nameOf = (document: object) => ('name' in document ? document.name : '')
  assert.deepEqual(published.map(nameOf).sort(), ['Test', 'find', 'leaves'])
  const found = all.filter((document) => nameOf(document) === 'find')
  assert.deepEqual(
    found.map(({_id, ...document}) => [
      _id.replace(/^drafts\./, ''),
      'executeJs' in document ? document.executeJs : '',
      'site' in document ? document.site : '',
    ]),
    [
      [found[0]?._id, 'return 1', reference(siteId)],
      [found[0]?._id, 'return 2', reference(siteId)],
    ],
  )
})
