import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseChange} from '../../../service/webhooks/change.ts'
import {projected} from './support.ts'

type State = Parameters<typeof projected>[0]

const tool = (_rev: string, site: string): State => ({_id: 'search', _type: 'tool', _rev, site: {_ref: site}})
const site = (_rev: string, publicId: string): State => ({_id: 'shop', _type: 'site', _rev, publicId})

/** A document before and after a change, and what is announced by the recommended projection and by the whole document. */
const CASES: [what: string, before: State, after: State, byProjection: object, byDocument: object][] = [
  ['a new tool', null, tool('1', 'shop'), {siteIds: ['shop']}, {siteIds: ['shop']}],
  ['a tool that moves', tool('1', 'shop'), tool('2', 'b'), {siteIds: ['shop', 'b']}, {siteIds: ['b']}],
  [
    'a renamed site',
    site('1', 'old-public'),
    site('2', 'new-public'),
    {publicIds: ['old-public', 'new-public']},
    {publicIds: ['new-public']},
  ],
  ['a deleted site', site('1', 'old-public'), null, {publicIds: ['old-public']}, {publicIds: ['old-public']}],
  ['a deleted tool', tool('1', 'shop'), null, {siteIds: ['shop']}, {siteIds: ['shop']}],
]

for (const [what, before, after, byProjection, byDocument] of CASES)
  test(`${what} is announced by the recommended projection and by the whole document`, async () => {
    const operation = after === null ? 'delete' : before === null ? 'create' : 'update'
    const revision = after?._rev ?? null
    const expected = {documentId: (after ?? before)?._id, revision, siteIds: [], publicIds: []}
    const announced: [unknown, object][] = [
      [await projected(before, after), byProjection],
      [after ?? before, byDocument],
    ]
    for (const [payload, fields] of announced)
      assert.deepEqual(parseChange(JSON.stringify(payload), operation), {
        announcement: {...expected, ...fields},
      })
  })
