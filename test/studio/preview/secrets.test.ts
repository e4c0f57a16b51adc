import assert from 'node:assert/strict'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import type {SanityClient} from '@sanity/client'
import {fetchSecretQuery, schemaType} from '@sanity/preview-url-secret/constants'
import {State} from '../../../content/state/state.ts'
import {
  createSecret,
  deleteSecret,
  endPreviews,
  isValid,
  renewSecrets,
} from '../../../studio/preview/secrets.ts'
import {temporaryRepository} from '../../lake/support/git.ts'
import {runLakeOver} from '../../lake/support/lake.ts'
import {siteDocument} from '../../support/shop.ts'

const STUDIO = 'http://localhost:3333/'
const ada = {publicId: 'demo-shop', userId: 'ada'}
const charles = {...ada, userId: 'charles'}

/** A lake in which a secret was last changed some minutes ago, for each of `ages`. */
async function lakeWith(t: TestContext, ages: Record<string, number> = {}) {
  const repository = await temporaryRepository(t)
  await repository.commit({'site/shop.json': siteDocument()})
  const folder = join(repository.directory, 'handrail')
  await mkdir(folder)
  const state = State.open(folder)
  for (const [name, minutes] of Object.entries(ages)) {
    const date = new Date(Date.now() - minutes * 60_000).toISOString()
    const times = {_rev: name, _createdAt: date, _updatedAt: date}
    const fields = {secret: name, source: 'handrail.demo-shop', studioUrl: STUDIO, userId: 'ada'}
    const document = {_id: `drafts.${name}`, _type: schemaType, ...times, ...fields}
    state.run(
      "INSERT INTO draft (id, document, base, editors) VALUES (?, ?, 'null', '[]')",
      document._id,
      JSON.stringify(document),
    )
  }
  state.close()
  return runLakeOver(t, repository)
}

const secretIn = (client: SanityClient, secret: string): Promise<unknown> =>
  client.fetch(fetchSecretQuery, {secret}, {perspective: 'raw'})

const idsIn = (client: SanityClient): Promise<string[]> =>
  client.fetch('*[_type == $type]._id | order(@)', {type: schemaType}, {perspective: 'raw'})

test("a secret is found by Sanity's own query, and only by signed-in clients", async (t) => {
  const {client, clientWith, address, repository} = await lakeWith(t)
  const head = await repository.git('rev-parse', 'HEAD')
  const {id, code} = await createSecret(client, ada, STUDIO)
  const secret: string = await client.fetch('*[code == $code][0].secret', {code}, {perspective: 'raw'})
  assert.match(code, /^[0-9a-f]{32}$/)
  assert.ok(!secret.includes(code))
  const found = await secretIn(client, secret)
  assert.ok(typeof found === 'object' && found !== null && '_id' in found && 'studioUrl' in found)
  assert.deepEqual([found._id, found.studioUrl], [id, STUDIO])
  const document = await client.getDocument(id)
  assert.deepEqual([document?.source, document?.userId], ['handrail.demo-shop', 'ada'])

  await assert.rejects(secretIn(clientWith({}), secret), {statusCode: 401})

  assert.equal(await repository.git('rev-parse', 'HEAD'), head, 'it is not committed')
  const headers = {authorization: `Bearer ${client.config().token}`}
  const exported = await (await fetch(`${address}/v2025-02-19/data/export/production`, {headers})).text()
  assert.match(exported, /"_id":"shop"/)
  assert.ok(!exported.includes(secret), 'it is not exported')
})

test('ending previews deletes the secrets of one editor for one site', async (t) => {
  const {client} = await lakeWith(t)
  for (let number = 0; number < 2; number++) await createSecret(client, ada, STUDIO)
  const unused = await createSecret(client, charles, STUDIO)
  const others = [
    await createSecret(client, {...ada, publicId: 'tide-cafe'}, STUDIO),
    await createSecret(client, charles, STUDIO),
  ]
  await endPreviews(client, ada)
  await deleteSecret(client, unused.id)
  assert.deepEqual(await idsIn(client), others.map(({id}) => id).sort())
})

test('a secret that is no longer wanted when it is made is deleted', async (t) => {
  const {client} = await lakeWith(t)
  const wanting = new AbortController()
  const creating = createSecret(client, ada, STUDIO, undefined, wanting.signal)
  wanting.abort()
  await creating
  assert.deepEqual(await idsIn(client), [])
})

test('a new secret removes those whose hour is over', async (t) => {
  const {client} = await lakeWith(t, {expired: 61, valid: 59})
  const {id} = await createSecret(client, ada, STUDIO)
  assert.deepEqual(await idsIn(client), ['drafts.valid', id].sort())
})

test('only valid secrets that were not renewed lately are renewed, and none that was not asked for', async (t) => {
  const ages = {expired: 61, old: 59, recent: 7, foreign: 30, another: 30}
  const {client} = await lakeWith(t, ages)
  await client.patch('drafts.foreign').set({userId: 'charles'}).commit({visibility: 'sync'})
  const before = await revisions(client)
  const ids = ['expired', 'old', 'recent', 'foreign', 'unknown'].map((name) => `drafts.${name}`)
  await renewSecrets(client, 'ada', ids)
  const after = await revisions(client)
  const renewed = [...after].filter(([id, {rev}]) => before.get(id)?.rev !== rev)
  assert.deepEqual(
    renewed.map(([id]) => id),
    ['drafts.old'],
  )
  assert.ok(isValid(after.get('drafts.old')?.at ?? '', Date.now() + 59 * 60_000))
  assert.equal(isValid(before.get('drafts.expired')?.at ?? ''), false)
  await renewSecrets(client, 'ada', ids)
  assert.deepEqual(await revisions(client), after, 'a second tab changes nothing')
})

async function revisions(client: SanityClient): Promise<Map<string, {rev: string; at: string}>> {
  const query = '*[_type == $type]{_id, _rev, _updatedAt}'
  const all = await client.fetch<{_id: string; _rev: string; _updatedAt: string}[]>(
    query,
    {type: schemaType},
    {perspective: 'raw'},
  )
  return new Map(all.map(({_id, _rev, _updatedAt}) => [_id, {rev: _rev, at: _updatedAt}]))
}
