import assert from 'node:assert/strict'
import {test} from 'node:test'
import {handedIn, handoverLink} from '../../../making/studioLink.ts'
import type {StoredDocument} from '../../../schemas/documents.ts'
import {parseTests, type ToolTest} from '../../../schemas/fields/tests.ts'
import {isRecord} from '../../../schemas/record.ts'
import {addTest, parseMadeTest} from '../../../studio/making/madeTest.ts'

const TEST: ToolTest = {
  title: 'With query “rope”',
  page: '/events',
  arguments: [{name: 'query', value: 'rope'}],
  expect: [{kind: 'atLeast', member: '', value: '1'}],
}

const PUBLISHED: StoredDocument = {
  _id: 'find-events-k3f9',
  _type: 'tool',
  _rev: '1',
  _createdAt: '2026-11-20T10:00:00Z',
  _updatedAt: '2026-11-20T10:00:00Z',
  name: 'findEvents',
  site: {_type: 'reference', _ref: 'library'},
}

const versionsOf = (published?: StoredDocument, draft?: StoredDocument) => ({
  id: 'find-events-k3f9',
  type: 'tool',
  ...(published && {published}),
  ...(draft && {draft}),
})

test('a test comes through the fragment of a link, and any page can make one: only what the rules know is taken', () => {
  const made = {id: 'find-events-k3f9', test: TEST}
  const handed = handedIn(
    new URL(handoverLink({url: 'https://studio.example/', preview: 'p'}, 'test', made)).hash,
  )
  assert.deepEqual(handed, {kind: 'test', value: {...made, preview: 'p'}})
  assert.deepEqual(parseMadeTest(handed?.value), {ok: true, value: made})
  const more = parseMadeTest({...made, test: {...TEST, _type: 'x', script: 'alert(1)'}})
  assert.deepEqual(more, {ok: true, value: made})
  const rows: [unknown, RegExp][] = [
    [undefined, /no test/],
    [{...made, id: 'drafts.x'}, /no test/],
    [{...made, id: 'a/b'}, /no test/],
    [{...made, test: undefined}, /must be an object/],
    [{...made, test: {...TEST, page: ''}}, /page/],
    [{...made, test: {...TEST, expect: [{kind: 'shell'}]}}, /needs a "kind"/],
  ]
  for (const [value, problem] of rows) {
    const parsed = parseMadeTest(value)
    assert.match(parsed.ok ? '' : parsed.problem, problem)
  }
})

test('a tool without a draft gets one, with everything that is published', () => {
  const added = addTest(TEST, versionsOf(PUBLISHED))
  assert(added.ok)
  const {_rev, _createdAt, _updatedAt, ...fields} = PUBLISHED
  assert.deepEqual(added.value.created, {...fields, _id: 'drafts.find-events-k3f9'})
  assert.equal(added.value.siteId, 'library')
  assert.deepEqual(parseTests([added.value.added]), {ok: true, value: [TEST]})
})

test('a draft keeps what it has, and gets the test with a title that no other has', () => {
  const stored = {...TEST, expect: [], _key: 'a'}
  const draft = {...PUBLISHED, _id: 'drafts.find-events-k3f9', tests: [stored]}
  const added = addTest(TEST, versionsOf(PUBLISHED, draft))
  assert(added.ok)
  assert.equal(added.value.created, undefined)
  assert.equal(added.value.added?.title, 'With query “rope” (2)')
  assert(isRecord(added.value.added) && typeof added.value.added._key === 'string')
})

test('a link that is opened again adds nothing', () => {
  const draft = {...PUBLISHED, tests: [{...TEST, title: 'Renamed', _key: 'a'}]}
  const again = addTest(TEST, versionsOf(undefined, draft))
  assert(again.ok)
  assert.equal(again.value.added, undefined)
})

test('a test of a tool that was deleted, or has as many as it can have, is refused with the reason', () => {
  const full = {...PUBLISHED, tests: Array.from({length: 50}, (_, at) => ({...TEST, page: `/${at}`}))}
  for (const [versions, problem] of [
    [undefined, /was deleted/],
    [versionsOf(), /was deleted/],
    [{...versionsOf(PUBLISHED), type: 'site'}, /Only tools/],
    [versionsOf(full), /has 50 tests already: remove one/],
  ] as const) {
    const added = addTest(TEST, versions)
    assert.match(added.ok ? '' : added.problem, problem)
  }
})
