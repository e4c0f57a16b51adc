import assert from 'node:assert/strict'
import {randomUUID} from 'node:crypto'
import type {SanityClient} from '@sanity/client'
import {assertRefused, contentOf, contract, TYPE} from './target.ts'

const newRelease = async (client: SanityClient, title = 'Spring sale') => {
  const releaseId = `r${randomUUID().slice(0, 8)}`
  await client.releases.create({releaseId, metadata: {title, releaseType: 'asap'}})
  return releaseId
}

const TOMORROW = () => new Date(Date.now() + 86_400_000).toISOString()

contract('releases', [
  [
    'create makes an active release, once',
    async ({client}) => {
      const releaseId = await newRelease(client)
      const release = await client.releases.get({releaseId})
      assert.equal(release?._id, `_.releases.${releaseId}`)
      assert.deepEqual(
        [release?._type, release?.state, release?.name, release?.metadata],
        ['system.release', 'active', releaseId, {title: 'Spring sale', releaseType: 'asap'}],
      )
      await assertRefused(client.releases.create({releaseId, metadata: {releaseType: 'asap'}}), 409)
      assert.equal(await client.fetch('count(releases::all()[name == $releaseId])', {releaseId}), 1)
    },
  ],
  [
    'a dry run makes nothing',
    async ({client}) => {
      const releaseId = `r${randomUUID().slice(0, 8)}`
      await client.releases.create({releaseId, metadata: {releaseType: 'asap'}}, {dryRun: true})
      assert.equal(await client.releases.get({releaseId}), undefined)
    },
  ],
  [
    'edit changes the metadata, and nothing else',
    async ({client}) => {
      const releaseId = await newRelease(client)
      await client.releases.edit({releaseId, patch: {set: {'metadata.title': 'Summer'}}})
      assert.equal((await client.releases.get({releaseId}))?.metadata.title, 'Summer')
      await assertRefused(client.releases.edit({releaseId, patch: {set: {state: 'published'}}}), 400)
      await assertRefused(
        client.releases.edit({releaseId, patch: {set: {'metadata.releaseType': 'never'}}}),
        400,
      )
    },
  ],
  [
    'a mutation cannot change a release',
    async ({client}) => {
      const releaseId = await newRelease(client)
      const id = `_.releases.${releaseId}`
      await assert.rejects(client.patch(id, {set: {state: 'published'}}).commit())
      await assert.rejects(client.delete(id))
    },
  ],
  [
    'versions are seen in a list of perspectives, the first one first',
    async ({client, stored}) => {
      const {_id: publishedId, _type} = await stored({a: 1})
      await client.create({_id: `drafts.${publishedId}`, _type, a: 2})
      const releaseId = await newRelease(client)
      await client.createVersion({
        publishedId,
        releaseId,
        document: {_id: `versions.${releaseId}.${publishedId}`, _type, a: 3},
      })
      const read = (perspective: string[]) =>
        client.fetch('*[_id == $id][0]{a, _originalId}', {id: publishedId}, {perspective})
      assert.deepEqual(await read([releaseId, 'drafts']), {
        a: 3,
        _originalId: `versions.${releaseId}.${publishedId}`,
      })
      assert.equal((await read(['drafts', releaseId]))?.a, 2)
      assert.equal((await read(['published']))?.a, 1)
      assert.equal((await client.releases.fetchDocuments({releaseId})).result.length, 1)
      assert.deepEqual(await client.fetch('*[sanity::partOfRelease($releaseId)]._id', {releaseId}), [
        `versions.${releaseId}.${publishedId}`,
      ])
      assert.equal((await client.fetch('*[sanity::versionOf($publishedId)]', {publishedId})).length, 3)
    },
  ],
  [
    'API versions before lists refuse them',
    async ({client, clientWith}) => {
      const releaseId = await newRelease(client)
      const old = clientWith({apiVersion: '2024-01-01'})
      await assertRefused(old.fetch('*', {}, {perspective: [releaseId]}), 400)
    },
  ],
  [
    'a version is made from a base, edited, replaced and discarded',
    async ({client, stored}) => {
      const {_id: publishedId, _type} = await stored({a: 1})
      const releaseId = await newRelease(client)
      const versionId = `versions.${releaseId}.${publishedId}`
      await client.createVersion({publishedId, releaseId, baseId: publishedId})
      assert.deepEqual(contentOf(await client.getDocument(versionId)), {a: 1})
      await client.action({
        actionType: 'sanity.action.document.edit',
        draftId: versionId,
        publishedId,
        patch: {set: {a: 2}},
      })
      assert.deepEqual(contentOf(await client.getDocument(versionId)), {a: 2})
      await client.replaceVersion({publishedId, releaseId, document: {_id: versionId, _type, b: 3}})
      assert.deepEqual(contentOf(await client.getDocument(versionId)), {b: 3})
      await client.discardVersion({publishedId, releaseId})
      assert.equal(await client.getDocument(versionId), undefined)
    },
  ],
  [
    'publish makes all versions the published documents, and unpublishes the marked ones',
    async ({client, stored}) => {
      const changed = await stored({a: 1})
      const gone = await stored({a: 1})
      const releaseId = await newRelease(client)
      const added = `contract-${randomUUID().slice(0, 8)}`
      const version = (id: string) => `versions.${releaseId}.${id}`
      await client.createVersion({
        publishedId: changed._id,
        releaseId,
        document: {_id: version(changed._id), _type: TYPE, a: 2},
      })
      await client.createVersion({
        publishedId: added,
        releaseId,
        document: {_id: version(added), _type: TYPE, a: 3},
      })
      await client.unpublishVersion({publishedId: gone._id, releaseId})
      const marked = await client.getDocument(version(gone._id))
      assert.deepEqual(Object(marked)._system?.delete, true)
      assert.equal(await client.fetch('*[_id == $id][0]', {id: gone._id}, {perspective: [releaseId]}), null)
      await client.releases.publish({releaseId})
      const release = await client.releases.get({releaseId})
      assert.equal(release?.state, 'published')
      assert.ok(Date.parse(release?.publishedAt ?? '') > 0)
      assert.deepEqual(contentOf(await client.getDocument(changed._id)), {a: 2})
      assert.deepEqual(contentOf(await client.getDocument(added)), {a: 3})
      assert.equal(await client.getDocument(gone._id), undefined)
      assert.deepEqual(await client.fetch('*[sanity::partOfRelease($releaseId)]', {releaseId}), [])
      await assertRefused(client.releases.publish({releaseId}), 409)
      await client.releases.delete({releaseId})
      assert.equal(await client.releases.get({releaseId}), undefined)
    },
  ],
  [
    'a scheduled release is locked until it is unscheduled',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored({a: 1})
      const releaseId = await newRelease(client)
      await client.createVersion({publishedId, releaseId, baseId: publishedId})
      const publishAt = TOMORROW()
      await client.releases.schedule({releaseId, publishAt})
      const release = await client.releases.get({releaseId})
      assert.equal(Date.parse(release?.publishAt ?? ''), Date.parse(publishAt))
      assert.match(release?.state ?? '', /^schedul/)
      await assert.rejects(client.discardVersion({publishedId, releaseId}))
      await assert.rejects(client.releases.archive({releaseId}))
      await client.releases.unschedule({releaseId})
      assert.equal((await client.releases.get({releaseId}))?.publishAt, undefined)
      await client.discardVersion({publishedId, releaseId})
      await assertRefused(client.releases.schedule({releaseId, publishAt: '2020-01-01T00:00:00Z'}), 400)
    },
  ],
  [
    'archive takes the versions away, and unarchive brings them back',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored({a: 1})
      const releaseId = await newRelease(client)
      const versionId = `versions.${releaseId}.${publishedId}`
      await client.createVersion({publishedId, releaseId, baseId: publishedId})
      await assert.rejects(client.releases.delete({releaseId}))
      await client.releases.archive({releaseId})
      assert.equal(await client.getDocument(versionId), undefined)
      const archived = await client.releases.get({releaseId})
      assert.equal(archived?.state, 'archived')
      assert.deepEqual(
        archived?.finalDocumentStates?.map(({id}) => id),
        [versionId],
      )
      await client.releases.unarchive({releaseId})
      assert.deepEqual(contentOf(await client.getDocument(versionId)), {a: 1})
      assert.equal((await client.releases.get({releaseId}))?.state, 'active')
      await client.releases.archive({releaseId})
      await client.releases.delete({releaseId})
    },
  ],
  [
    'a version needs its release',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored({a: 1})
      await assert.rejects(client.createVersion({publishedId, releaseId: 'rNothing', baseId: publishedId}))
    },
  ],
])
