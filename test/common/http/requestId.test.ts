import {deepEqual, equal, match} from 'node:assert/strict'
import {subscribe, unsubscribe} from 'node:diagnostics_channel'
import {test} from 'node:test'
import type {FastifyInstance} from 'fastify'
import {currentRequestId, requestId} from '../../../common/http/requestId.ts'
import {runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

test('a request has the name that the proxy gave it, and nothing else that a client sends', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`
  equal(requestId({headers: {'x-request-id': 'a-1', traceparent}}), 'a-1')
  equal(requestId({headers: {'x-request-id': 'a b', traceparent}}), trace)
  for (const headers of [{}, {'x-request-id': 'a'.repeat(65)}, {traceparent: '00-x'}])
    match(requestId({headers}), /^[\da-f-]{36}$/)
})

const SITE_QUERY = 'the query for a site'

test('what a request makes the service ask has the same name in the log of the lake, and what no request waits for has its own', async (t) => {
  const ids = new Map<string, string[]>()
  const record = (message: unknown) => {
    const {fastify}: {fastify?: FastifyInstance} = Object(message)
    fastify?.addHook('onRequest', ({url, id}, _reply, done) => {
      const [path = ''] = url.split('?')
      // Other queries ask in the background what changed.
      const name = url.includes('tag=handrail.site') ? SITE_QUERY : path
      ids.set(name, [...(ids.get(name) ?? []), String(id)])
      done()
    })
  }
  subscribe('fastify.initialization', record)
  const house = await runHouse(t, [siteDocument(), toolDocument()])
  unsubscribe('fastify.initialization', record)
  const answer = await house.config('shop-public', '/', {headers: {'x-request-id': 'of-the-proxy'}})
  equal(answer.status, 200)
  deepEqual(ids.get(SITE_QUERY), ['of-the-proxy'])
  equal(currentRequestId(), undefined)
  match(ids.get('/v2025-02-19/data/live/events/production')?.[0] ?? '', /^[\da-f-]{36}$/)
})
