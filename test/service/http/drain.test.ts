import assert from 'node:assert/strict'
import {once} from 'node:events'
import {Agent} from 'node:http'
import {connect} from 'node:net'
import {type TestContext, test} from 'node:test'
import fastify from 'fastify'
import {DRAIN, drain} from '../../../service/http/drain.ts'
import {recordOf} from '../../support/answers.ts'
import {askFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {startHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

/** A house whose service the test closes: it drains until the test calls `end`. */
async function houseFor(t: TestContext) {
  const {promise: ended, resolve: end} = Promise.withResolvers<void>()
  const drained: number[] = []
  const drain = (milliseconds: number) => {
    drained.push(milliseconds)
    return ended
  }
  const house = await startHouse([siteDocument(), toolDocument()], {}, {drain})
  const replica = await house.replica()
  t.after(() => {
    end()
    return house.close()
  })
  return {house: {...house, ...replica}, close: () => replica.close(true), end, drained}
}

/** One request over an agent's connection. */
const ask = (agent: Agent, url: string) => askFrom('127.0.0.1', url, {agent})

test('while it drains, it is not ready but still responds, once on each connection', async (t) => {
  const {house, close, end, drained} = await houseFor(t)
  const url = `${house.serviceAddress}/api/sites/shop-public/config`
  const agent = new Agent({keepAlive: true, maxSockets: 1})
  t.after(() => agent.destroy())
  assert.equal((await ask(agent, url)).headers.connection, 'keep-alive')

  const closed = close()
  const kept = await ask(agent, url)
  assert.deepEqual([kept.status, kept.headers.connection], [200, 'close'])
  const ready = await fetch(`${house.serviceAddress}/readyz`)
  assert.equal(ready.status, 503)
  assert.equal(recordOf(await ready.json()).status, 'draining')
  assert.equal((await fetch(`${house.serviceAddress}/healthz`)).status, 200)
  assert.equal((await house.config('shop-public')).status, 200, 'a new connection is accepted')

  assert.deepEqual(drained, [DRAIN])
  end()
  await closed
  await assert.rejects(fetch(url), ({cause}: Error) => recordOf(cause).code === 'ECONNREFUSED')
})

test('a request that waits for the lake gets its response, and its connection closes after it', async (t) => {
  const {house, close, end} = await houseFor(t)
  end()
  const {promise: released, resolve: release} = Promise.withResolvers<void>()
  house.network.fault = {kind: 'hold', until: released}
  const agent = new Agent({keepAlive: true})
  t.after(() => agent.destroy())
  const answer = ask(agent, `${house.serviceAddress}/api/sites/shop-public/config`)
  await eventually(
    async () => house.network.unanswered,
    (count) => count > 0,
  )
  const closed = close()
  release()
  const {status, headers} = await answer
  assert.deepEqual([status, headers.connection], [200, 'close'])
  await closed
})

test('consecutive requests are all served until the service closes the connection', async (t) => {
  const {house, close, end} = await houseFor(t)
  const url = `${house.serviceAddress}/api/sites/shop-public/config`
  const clients = Array.from({length: 8}, async () => {
    const agent = new Agent({keepAlive: true, maxSockets: 1})
    t.after(() => agent.destroy())
    for (let answers = 1; ; answers++) {
      const {status, headers} = await ask(agent, url)
      assert.equal(status, 200)
      if (headers.connection === 'close') return answers
      if (answers === 20) closed ??= close()
    }
  })
  let closed: Promise<void> | undefined
  for (const answers of await Promise.all(clients)) assert.ok(answers > 0)
  end()
  await closed
})

test('a connection that was opened but never used does not delay shutdown', async (t) => {
  const app = fastify()
  t.after(() => app.close())
  const address = await app.listen({port: 0, host: '127.0.0.1'})
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const ended = once(socket, 'close')
  await Promise.all([once(socket, 'connect'), once(app.server, 'connection')])
  await drain(app, {drain() {}}, async () => {}, 20)
  await ended
})
