import assert from 'node:assert/strict'
import {test} from 'node:test'
import {
  covers,
  describeRights,
  everywhere,
  highestRole,
  mayGive,
  parseRights,
  type Rights,
  type Role,
} from '../../../../lake/access/rights/rights.ts'

const of = (role: Role, ...sites: string[]): Rights => [{role, sites}]

test('rights are read from JSON, and errors say what is wrong', () => {
  const rights = [{role: 'author', sites: ['shop', 'blog']} as const, ...everywhere('viewer')]
  assert.deepEqual(parseRights(JSON.parse(JSON.stringify(rights))), rights)
  assert.deepEqual(parseRights([]), [])
  for (const [value, problem] of [
    ['author', /rights must be a list/],
    [['author'], /a right must be an object/],
    [undefined, /rights must be a list/],
    [[{role: 'owner', sites: 'all'}], /"role" must be one of administrator, publisher, author, viewer/],
    [[{role: 'author'}], /"sites" must be "all", or a list/],
    [[{role: 'author', sites: []}], /"sites" must be "all", or a list/],
    [[{role: 'author', sites: ['drafts.shop']}], /"sites" must be "all", or a list/],
    [[{role: 'author', sites: ['"] || true || _id in ["']}], /"sites" must be "all", or a list/],
  ] as const)
    assert.throws(() => parseRights(value), problem)
})

test('an administrator gives and takes rights for their own sites only', () => {
  const twoSites = [...of('administrator', 'shop'), ...of('administrator', 'blog')]
  assert.ok(mayGive(twoSites, of('administrator', 'shop', 'blog')))
  assert.ok(mayGive(everywhere('administrator'), everywhere('administrator')))
  assert.ok(mayGive(everywhere('administrator'), of('author', 'shop')))
  assert.ok(!mayGive(twoSites, everywhere('viewer')))
  assert.ok(!mayGive(twoSites, of('viewer', 'shop', 'docs')))
  assert.ok(!mayGive([...everywhere('publisher'), ...twoSites], of('author', 'docs')))
  assert.ok(!mayGive(everywhere('publisher'), of('viewer', 'shop')))
})

test('rights cover others that allow no more', () => {
  const shop = of('author', 'shop')
  for (const [before, after, isCovered] of [
    [shop, everywhere('administrator'), false],
    [shop, of('author', 'shop', 'blog'), false],
    [shop, of('publisher', 'shop'), false],
    [of('administrator', 'shop'), everywhere('viewer'), false],
    [everywhere('publisher'), shop, true],
    [of('author', 'shop', 'blog'), of('viewer', 'blog'), true],
    [everywhere('viewer'), [], true],
  ] as const)
    assert.equal(covers(before, after), isCovered, JSON.stringify([before, after]))
})

test('rights are described with their sites', () => {
  const rights = [...everywhere('viewer'), ...of('publisher', 'shop', 'blog')]
  assert.equal(describeRights(rights), 'viewer of all sites; publisher of shop, blog')
  const names = (id: string) => (id === 'shop' ? 'Harbour Supply' : id)
  assert.equal(describeRights(rights, names), 'viewer of all sites; publisher of Harbour Supply, blog')
  assert.equal(describeRights([]), 'no rights')
  assert.equal(highestRole(rights), 'publisher')
})
