import assert from 'node:assert/strict'
import {test} from 'node:test'
import {runLake} from '../support/lake.ts'
import {mutate} from '../support/mutate.ts'

const FILES = {
  'site/bank.json': {_id: 'bank', _type: 'site', publicId: 'bank-0001-site'},
  'tool/pay.json': {_id: 'pay', _type: 'tool', site: {_type: 'reference', _ref: 'bank'}},
}
const tool = (_id: string) => ({_id, _type: 'tool', name: 'x'})
const site = (_id: string) => ({_id, _type: 'site', name: 'x'})

const CASES: [what: string, before: object[], mutations: object[]][] = [
  ['replace it', [], [{createOrReplace: tool('bank')}]],
  ['delete and create it', [], [{delete: {id: 'pay'}}, {create: site('pay')}]],
  ['draft it', [], [{createOrReplace: tool('drafts.bank')}]],
  ['add it to a release', [], [{create: tool('versions.r1.bank')}]],
  ['replace its draft', [{create: tool('drafts.new')}], [{createOrReplace: site('drafts.new')}]],
  ['publish past its draft', [{create: tool('drafts.new')}], [{create: site('new')}]],
]
for (const [what, before, mutations] of CASES) {
  test(`a document never changes its type: an administrator cannot ${what} as another type`, async (t) => {
    const {address, client} = await runLake(t, FILES)
    if (before.length > 0) assert.equal((await mutate(address, before)).status, 200)
    const {status, text} = await mutate(address, mutations)
    assert.equal(status, 409)
    assert.match(text, /documentTypeChangedError/)
    assert.equal((await client.getDocument('bank'))?._type, 'site')
  })
}
