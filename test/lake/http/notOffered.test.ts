import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ClientError} from '@sanity/client'
import {runLake} from '../support/lake.ts'

/** Requires an error with this status and text. */
const refused = (work: Promise<unknown>, status: number, text: RegExp) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof ClientError, String(error))
    assert.equal(error.statusCode, status)
    assert.match(error.message, text)
    return true
  })

test('source maps are refused, by fetch and by stega', async (t) => {
  const {client} = await runLake(t)
  const text = /no content source maps/
  await refused(
    client.fetch('*', {}, {filterResponse: false, resultSourceMap: 'withKeyArraySelector'}),
    400,
    text,
  )
  await refused(client.fetch('*', {}, {filterResponse: false, resultSourceMap: true}), 400, text)
  await refused(client.withConfig({stega: {enabled: true, studioUrl: '/'}}).fetch('*'), 400, text)
  assert.deepEqual(await client.fetch('*', {}, {resultSourceMap: false}), [])
})

test('assets, GraphQL and agent actions are refused', async (t) => {
  const {client} = await runLake(t)
  await refused(client.assets.upload('file', Buffer.from('text'), {filename: 'a.txt'}), 404, /no assets/)
  const graphql = client.request({method: 'POST', url: '/graphql/production/default', body: {query: '{a}'}})
  await refused(graphql, 404, /no GraphQL/)
  await refused(
    client.withConfig({apiVersion: 'vX'}).agent.action.prompt({instruction: 'Say hi'}),
    404,
    /no agent/,
  )
})
