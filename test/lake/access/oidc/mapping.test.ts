import assert from 'node:assert/strict'
import {test} from 'node:test'
import {mappedRights, mismatchOf, parseMapping} from '../../../../lake/access/oidc/mapping.ts'

const viewer = {role: 'viewer', sites: 'all'}
const author = {role: 'author', sites: ['shop']}

test('each rule that applies gives its rights once', () => {
  const mapping = parseMapping({
    rules: [
      {claim: 'groups', value: 'a', rights: [viewer]},
      {claim: 'groups', value: 'b', rights: [author, viewer]},
      {claim: ['realm_access', 'roles'], value: 'b', rights: [author]},
      {claim: 'https://id.example/role', value: 'c', rights: [viewer]},
      {claim: 'email', value: 'ada@example.com', rights: [author]},
    ],
  })
  for (const [claims, rights] of [
    [{groups: ['a']}, [viewer]],
    [{groups: 'a'}, [viewer]],
    [{groups: ['a', 'b']}, [viewer, author]],
    [{realm_access: {roles: ['b']}}, [author]],
    [{'https://id.example/role': 'c'}, [viewer]],
    [{email: 'ada@example.com', email_verified: true}, [author]],
    [{email: 'ada@example.com'}, []],
    [{email: 'ada@example.com', email_verified: 'true'}, [author]],
    [{email: 'ada@example.com', email_verified: 'false'}, []],
    [{groups: ['A', 'ab', ['a'], null, 1]}, []],
    [{groups: {a: true}}, []],
    [{realm_access: ['roles']}, []],
    [{}, []],
  ] as const)
    assert.deepEqual(mappedRights(mapping, claims), rights, JSON.stringify(claims))
  const everyone = parseMapping({rules: [{everyone: true, rights: [viewer]}]})
  assert.deepEqual(mappedRights(everyone, {}), [viewer])
})

test('claims of groups that no rule can match are explained to the operator', () => {
  const mapping = parseMapping({
    rules: [
      {everyone: true, rights: []},
      {claim: ['realm', 'groups'], value: 'editors', rights: [viewer]},
    ],
  })
  for (const [claims, words] of [
    [{_claim_names: {groups: 'src1'}}, /in too many groups for a token/],
    [{hasgroups: true}, /in too many groups for a token/],
    [{realm: {groups: ['/editors']}}, /Write "\/editors" in the mapping file/],
    [{realm: {groups: [{id: '1', name: 'editors'}]}}, /"realm\.groups" has objects/],
    [{realm: {groups: ['others']}}, /^$/],
    [{}, /^$/],
  ] as const)
    assert.match(mismatchOf(mapping, claims), words)
})

test('claims that every object inherits match nothing', () => {
  const rule = {claim: ['constructor', 'name'], value: 'Object', rights: [viewer]}
  assert.deepEqual(mappedRights(parseMapping({rules: [rule]}), {}), [])
})

test('a mapping with a typing error is refused, with the place', () => {
  const rule = {claim: 'groups', value: 'a', rights: [viewer]}
  for (const [value, message] of [
    [[rule], /"rules"/],
    [{}, /"rules"/],
    [{rules: {}}, /"rules"/],
    [{rules: [rule, null]}, /"rules"\[1\]: it must be an object/],
    [{rules: [{...rule, clam: 'a'}]}, /"clam" is not one of/],
    [{rules: [{value: 'a', rights: [viewer]}]}, /"claim" must be/],
    [{rules: [{...rule, claim: []}]}, /"claim" must be/],
    [{rules: [{...rule, claim: ['a', 1]}]}, /"claim" must be/],
    [{rules: [{...rule, value: ''}]}, /"value" must be/],
    [{rules: [{...rule, value: ['a']}]}, /"value" must be/],
    [{rules: [{...rule, everyone: true}]}, /"everyone" must be/],
    [{rules: [{everyone: 'true', rights: [viewer]}]}, /"everyone" must be/],
    [{rules: [{claim: 'groups', value: 'a'}]}, /rights must be a list/],
    [{rules: [{...rule, rights: [{role: 'owner', sites: 'all'}]}]}, /"role" must be/],
    [{rules: [{...rule, rights: [{role: 'reporter', sites: 'all'}]}]}, /only for tokens/],
  ] as const)
    assert.throws(() => parseMapping(value), message, JSON.stringify(value))
})
