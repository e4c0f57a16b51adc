import assert from 'node:assert/strict'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {NO_IMPORT_LOGGER} from '../../../../content/state/importFile.ts'
import {importPeople} from '../../../../lake/access/importPeople.ts'
import {
  describeRights,
  everywhere,
  highestRole,
  mayGive,
  mayUse,
  parseRights,
  type Rights,
} from '../../../../lake/access/rights/rights.ts'
import type {Role} from '../../../../lake/access/rights/role.ts'
import {temporaryFolder} from '../../support/git.ts'
import {accountsIn, openStateIn} from '../../support/signIn.ts'

const of = (role: Role, ...sites: string[]): Rights => [{role, sites}]

test('rights are read from JSON, and errors say what is wrong', () => {
  const rights = [{role: 'author', sites: ['shop', 'blog']} as const, ...everywhere('viewer')]
  assert.deepEqual(parseRights(JSON.parse(JSON.stringify(rights))), rights)
  assert.deepEqual(parseRights([{role: 'editor', sites: 'all'}]), everywhere('publisher'))
  assert.deepEqual(parseRights([]), [])
  for (const [value, problem] of [
    ['author', /rights must be a list/],
    [['author'], /a right must be an object/],
    [[{role: 'owner', sites: 'all'}], /"role" must be one of administrator, publisher, author, viewer/],
    [[{role: 'author'}], /"sites" must be "all", or a list/],
    [[{role: 'author', sites: []}], /"sites" must be "all", or a list/],
    [[{role: 'author', sites: ['drafts.shop']}], /"sites" must be "all", or a list/],
    [[{role: 'author', sites: ['"] || true || _id in ["']}], /"sites" must be "all", or a list/],
  ] as const)
    assert.throws(() => parseRights(value), problem)
})

test('roles and tokens of version 0.1 are for all sites, and an editor is a publisher', async (t) => {
  const path = await temporaryFolder(t)
  const editors = ['administrator', 'editor', 'viewer'].map((role) => ({
    id: role,
    name: role,
    email: `${role}@example.com`,
    role,
  }))
  const tokens = [{id: 't', name: 'ci', role: 'editor', hash: 'x'}]
  await writeFile(join(path, 'editors.json'), JSON.stringify({editors, tokens}))
  await importPeople(openStateIn(path), join(path, 'editors.json'), {renames: true, logger: NO_IMPORT_LOGGER})
  const accounts = accountsIn(path)
  const rights = (await accounts.editors()).map((editor) => editor.rights)
  assert.deepEqual(rights, [everywhere('administrator'), everywhere('publisher'), everywhere('viewer')])
  assert.deepEqual(await accounts.tokens(), [{id: 't', name: 'ci', rights: everywhere('publisher')}])

  await accounts.setRights('viewer@example.com', of('author', 'shop'))
  const again = accountsIn(path)
  assert.deepEqual((await again.editor('viewer'))?.rights, of('author', 'shop'))
  assert.deepEqual((await again.editor('editor'))?.rights, everywhere('publisher'))
})

test('routes need a role for any site', () => {
  const permissions = (rights: Rights) =>
    (['read', 'write', 'administer'] as const).filter((permission) => mayUse(rights, permission))
  assert.deepEqual(permissions([]), [])
  assert.deepEqual(permissions(of('viewer', 'shop')), ['read'])
  assert.deepEqual(permissions(of('author', 'shop')), ['read', 'write'])
  assert.deepEqual(permissions(everywhere('publisher')), ['read', 'write'])
  assert.deepEqual(permissions([...everywhere('viewer'), ...of('administrator', 'a')]), [
    'read',
    'write',
    'administer',
  ])
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

test('rights are described with their sites', () => {
  const rights = [...everywhere('viewer'), ...of('publisher', 'shop', 'blog')]
  assert.equal(describeRights(rights), 'viewer of all sites; publisher of shop, blog')
  const names = (id: string) => (id === 'shop' ? 'Harbour Supply' : id)
  assert.equal(describeRights(rights, names), 'viewer of all sites; publisher of Harbour Supply, blog')
  assert.equal(describeRights([]), 'no rights')
  assert.equal(highestRole(rights), 'publisher')
})
