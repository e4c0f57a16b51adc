import assert from 'node:assert/strict'
import dns, {type LookupAddress, type LookupOptions} from 'node:dns'
import type {TestContext} from 'node:test'
import {
  type Action,
  applyDocumentActions,
  createDocument,
  createDocumentHandle,
  createSanityInstance,
  deleteDocument,
  discardDocument,
  editDocument,
  getDocumentState,
  getQueryState,
  publishDocument,
  resolvePermissions,
  unpublishDocument,
} from '@sanity/sdk'
import {collect} from '../support/collect.ts'
import {contentOf, contract, type Target, TYPE} from './target.ts'

type Callback = (error: Error | null, address: string | LookupAddress[], family: number) => void

/**
 * Lets this process find `*.localhost`, as browsers do (https://www.rfc-editor.org/rfc/rfc6761#section-6.3): the
 * App SDK always puts the project into the host name.
 */
function resolveLocalhost(t: TestContext): void {
  const lookup = dns.lookup
  t.mock.method(dns, 'lookup', (name: string, options: LookupOptions, callback: Callback) =>
    lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, options, callback),
  )
}

/** An app with the token of an editor, and a new document. */
function appOf({client, projectId, dataset, isHosted, named}: Target, t: TestContext) {
  const {apiHost = '', token = ''} = client.config()
  if (!isHosted) resolveLocalhost(t)
  const instance = createSanityInstance({
    projectId,
    dataset,
    auth: {token, apiHost: apiHost.replace('//127.0.0.1', '//localhost')},
  })
  t.after(() => instance.dispose())
  const {_id: documentId} = named()
  const handle = createDocumentHandle({documentId, documentType: TYPE, projectId, dataset})
  const apply = async (...actions: Action[]) => {
    const {submitted} = await applyDocumentActions(instance, {actions})
    await submitted()
  }
  /** The published document and the draft, as they are stored. */
  const stored = async () => {
    const found = await client.getDocuments([documentId, `drafts.${documentId}`])
    return found.map((document) => document && contentOf(document))
  }
  return {instance, handle, documentId, apply, stored}
}

contract('App SDK', [
  [
    'creates, edits, publishes, discards, unpublishes and deletes a document',
    async (target, t) => {
      const {handle, apply, stored} = appOf(target, t)
      await apply(createDocument(handle), editDocument(handle, {set: {title: 'A', tags: ['x']}}))
      assert.deepEqual(await stored(), [null, {title: 'A', tags: ['x']}])
      await apply(editDocument(handle, [{set: {title: 'B'}}, {insert: {after: 'tags[-1]', items: ['y']}}]))
      const published = {title: 'B', tags: ['x', 'y']}
      assert.deepEqual(await stored(), [null, published])
      await apply(publishDocument(handle))
      assert.deepEqual(await stored(), [published, null])
      await apply(editDocument(handle, {set: {title: 'C'}}))
      assert.deepEqual(await stored(), [published, {...published, title: 'C'}])
      await apply(discardDocument(handle))
      assert.deepEqual(await stored(), [published, null])
      await apply(unpublishDocument(handle))
      assert.deepEqual(await stored(), [null, published])
      await apply(publishDocument(handle))
      await apply(deleteDocument(handle))
      assert.deepEqual(await stored(), [null, null])
    },
  ],
  [
    'follows a document that another client edits, publishes and deletes',
    async (target, t) => {
      const {instance, handle, documentId} = appOf(target, t)
      const {client} = target
      const pair = {publishedId: documentId, draftId: `drafts.${documentId}`}
      await client.create({_id: pair.draftId, _type: TYPE, n: 1})
      const states = collect(t, getDocumentState(instance, handle).observable)
      const shows = (n: number) => states.until((document) => Object(document).n === n)
      await shows(1)
      await client.patch(pair.draftId).inc({n: 1}).commit()
      await shows(2)
      await client.action({actionType: 'sanity.action.document.publish', ...pair})
      await states.until((document) => Object(document)._id === documentId)
      await client.patch(documentId).inc({n: 1}).commit()
      await shows(3)
      await client.delete(documentId)
      await states.until((document) => document === null)
    },
  ],
  [
    'keeps its own edits and those of another client',
    async (target, t) => {
      const {handle, apply, stored, documentId} = appOf(target, t)
      await apply(createDocument(handle), editDocument(handle, {set: {title: 'A'}}))
      await target.client.patch(`drafts.${documentId}`).set({other: true}).commit()
      await apply(editDocument(handle, {set: {title: 'B'}}))
      assert.deepEqual(await stored(), [null, {title: 'B', other: true}])
    },
  ],
  [
    'fetches a query again when its result changes',
    async (target, t) => {
      const {instance, documentId: id} = appOf(target, t)
      const query = '*[_id == $id]{title, "isDraft": _originalId in path("drafts.**")}'
      const results = collect(t, getQueryState(instance, {query, params: {id}}).observable)
      const shows = (result: unknown) =>
        results.until((found) => JSON.stringify(found) === JSON.stringify(result))
      await shows([])
      await target.client.create({_id: id, _type: TYPE, title: 'A'})
      await shows([{title: 'A', isDraft: false}])
      await target.client.create({_id: `drafts.${id}`, _type: TYPE, title: 'B'})
      await shows([{title: 'B', isDraft: true}])
    },
  ],
  [
    'knows what its user may do',
    async (target, t) => {
      const {instance, handle} = appOf(target, t)
      const actions = [createDocument(handle)]
      assert.deepEqual(await resolvePermissions(instance, {actions}), {allowed: true})
    },
  ],
])
