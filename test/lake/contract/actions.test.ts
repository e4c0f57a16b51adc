import assert from 'node:assert/strict'
import {assertRefused, contentOf, contract, type Target, TYPE} from './target.ts'

/** The content of a published document and of its draft. */
type State = {readonly published?: object; readonly draft?: object}

type Ids = {
  readonly publishedId: string
  readonly draftId: string
  /** Of the draft before the action. */
  readonly revision: string
}

type Row = [name: string, before: State, action: (ids: Ids) => object, after: State | number]

function send({client}: Target, actions: readonly object[], dryRun = false) {
  const url = `/data/actions/${client.config().dataset}`
  return client.request({method: 'POST', url, body: {actions, dryRun}})
}

/** An action on a document and its draft. */
const act =
  (kind: string, more: object | ((ids: Ids) => object) = {}) =>
  (ids: Ids) => ({
    actionType: `sanity.action.document.${kind}`,
    publishedId: ids.publishedId,
    draftId: ids.draftId,
    ...(typeof more === 'function' ? more(ids) : more),
  })

const content = (member: string, fields: object) => (ids: Ids) => ({
  [member]: {_id: ids.draftId, _type: TYPE, ...fields},
})
const base = ({publishedId, draftId}: Ids) => ({baseId: publishedId, versionId: draftId})
const [ONE, TWO] = [{a: 1}, {b: 2}]

/** https://www.sanity.io/docs/http-reference/actions */
const rows: Row[] = [
  ['create makes a draft', {}, act('create', content('attributes', ONE)), {draft: ONE}],
  ['create of an existing draft fails', {draft: ONE}, act('create', content('attributes', TWO)), 409],
  [
    'create of an existing draft can be ignored',
    {draft: ONE},
    act('create', (ids) => ({...content('attributes', TWO)(ids), ifExists: 'ignore'})),
    {draft: ONE},
  ],
  ['version.create makes a draft', {}, act('version.create', content('document', ONE)), {draft: ONE}],
  [
    'version.create of an existing draft fails',
    {draft: ONE},
    act('version.create', content('document', TWO)),
    409,
  ],
  [
    'version.create copies a base',
    {published: ONE},
    act('version.create', base),
    {published: ONE, draft: ONE},
  ],
  [
    'version.create requires the revision of the base',
    {published: ONE},
    act('version.create', (ids) => ({...base(ids), ifBaseRevisionId: 'other'})),
    409,
  ],
  [
    'version.replace replaces a draft',
    {draft: ONE},
    act('version.replace', content('document', TWO)),
    {draft: TWO},
  ],
  [
    'version.discard removes a draft',
    {draft: ONE},
    act('version.discard', ({draftId}) => ({versionId: draftId})),
    {},
  ],
  ['edit changes a draft', {draft: ONE}, act('edit', {patch: {set: TWO}}), {draft: {...ONE, ...TWO}}],
  [
    'edit of a published document makes its draft',
    {published: ONE},
    act('edit', {patch: {set: TWO}}),
    {published: ONE, draft: {...ONE, ...TWO}},
  ],
  ['edit of a missing document fails', {}, act('edit', {patch: {set: TWO}}), 409],
  ['discard removes the draft', {published: ONE, draft: TWO}, act('discard'), {published: ONE}],
  [
    'replaceDraft replaces a draft',
    {draft: ONE},
    act('replaceDraft', content('attributes', TWO)),
    {draft: TWO},
  ],
  ['publish makes the draft the published document', {draft: ONE}, act('publish'), {published: ONE}],
  ['publish replaces the published document', {published: ONE, draft: TWO}, act('publish'), {published: TWO}],
  ['publish of a missing draft fails', {published: ONE}, act('publish'), 409],
  ['publish refuses another revision', {draft: ONE}, act('publish', {ifDraftRevisionId: 'other'}), 409],
  [
    'publish accepts the revision of the draft',
    {draft: ONE},
    act('publish', ({revision}) => ({ifDraftRevisionId: revision})),
    {published: ONE},
  ],
  [
    'publish checks the revision of the published document',
    {published: ONE, draft: TWO},
    act('publish', {ifPublishedRevisionId: 'other'}),
    409,
  ],
  ['unpublish makes the published document a draft', {published: ONE}, act('unpublish'), {draft: ONE}],
  ['unpublish keeps an existing draft', {published: ONE, draft: TWO}, act('unpublish'), {draft: TWO}],
  [
    'delete removes both',
    {published: ONE, draft: TWO},
    act('delete', ({draftId}) => ({includeDrafts: [draftId]})),
    {},
  ],
  ['an unknown action is refused', {}, act('frobnicate'), 400],
]

contract('actions', [
  ...rows.map(([name, before, action, after]): [string, (target: Target) => Promise<void>] => [
    name,
    async (target) => {
      const {client, named} = target
      const {_id: publishedId, _type} = named()
      const draftId = `drafts.${publishedId}`
      if (before.published) await client.create({...before.published, _id: publishedId, _type})
      const draft = before.draft && (await client.create({...before.draft, _id: draftId, _type}))
      const sent = send(target, [action({publishedId, draftId, revision: draft?._rev ?? ''})])
      if (typeof after === 'number') await assertRefused(sent, after)
      else await sent
      const expected = typeof after === 'number' ? before : after
      const found = await client.getDocuments([publishedId, draftId])
      assert.deepEqual(
        found.map((one) => one && contentOf(one)),
        [expected.published ?? null, expected.draft ?? null],
      )
    },
  ]),
  [
    'publish makes marked references strong',
    async ({client, stored, draft}) => {
      const {_id} = await stored()
      const reference = {_type: 'reference', _ref: _id}
      const pair = await draft({ref: {...reference, _weak: true, _strengthenOnPublish: {type: TYPE}}})
      await client.action({actionType: 'sanity.action.document.publish', ...pair})
      assert.deepEqual((await client.getDocument(pair.publishedId))?.ref, reference)
    },
  ],
  [
    'unpublish of a referenced document fails',
    async (target) => {
      const {_id: publishedId} = await target.stored()
      await target.stored({ref: {_type: 'reference', _ref: publishedId}})
      const ids = {publishedId, draftId: `drafts.${publishedId}`, revision: ''}
      await assertRefused(send(target, [act('unpublish')(ids)]), 409)
    },
  ],
  [
    'several actions are atomic, and a dry run stores nothing',
    async (target) => {
      const {client, draft, named} = target
      const ids = {...(await draft(ONE)), revision: ''}
      const other = {...ids, publishedId: named()._id, draftId: 'drafts.none'}
      await assert.rejects(send(target, [act('edit', {patch: {set: TWO}})(ids), act('publish')(other)]))
      await send(target, [act('publish')(ids)], true)
      const found = await client.getDocuments([ids.publishedId, ids.draftId])
      assert.deepEqual(
        found.map((one) => one && contentOf(one)),
        [null, ONE],
      )
    },
  ],
])
