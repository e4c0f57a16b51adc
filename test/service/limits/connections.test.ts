import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {Socket} from 'node:net'
import {describe, type TestContext, test} from 'node:test'
import {CHECK_EVERY, closeIdleConnections} from '../../../service/http/idleConnections.ts'
import {SERVER_LIMITS} from '../../../service/http/serverLimits.ts'
import {askFrom, connectFrom, statusesFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, startHouse} from '../../support/house.ts'
import {metricsOf} from '../../support/metrics.ts'
import {listen} from '../../support/network/ports.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'

type Stage = House & {
  url: string
  /** Opens connections, writes to each, and returns those that the service keeps open. */
  open(address: string, count: number, text: string): Promise<Set<Socket>>
}

async function stageFor(t: TestContext, maxConnections = 10_000): Promise<Stage> {
  const house = await startHouse([siteDocument(), toolDocument()], {}, {maxConnections})
  const url = `${house.serviceAddress}/api/sites/shop-public/config`
  const all: Socket[] = []
  t.after(async () => {
    for (const socket of all) socket.destroy()
    await house.close()
  })
  return {
    ...house,
    url,
    async open(address, count, text) {
      const kept = new Set<Socket>()
      for (let opened = 0; opened < count; opened++) {
        const socket = await connectFrom(address, url)
        all.push(socket)
        kept.add(socket)
        socket.once('close', () => kept.delete(socket)).resume()
        socket.write(text)
      }
      return kept
    },
  }
}

/** The beginning of a request, which keeps its connection busy for some seconds. */
const BEGINNING = 'GET / HTTP/1.1\r\n'

const REQUEST = 'GET /api/sites/shop-public/config HTTP/1.1\r\nhost: localhost\r\n\r\n'

describe('connections', {concurrency: true}, () => {
  test('one client gets at most a tenth of them; other clients are served', async (t) => {
    const house = await stageFor(t, 100)
    const kept = await house.open(ATTACKER, 60, BEGINNING)
    await eventually(() => kept.size, 10)
    assert.deepEqual(new Set(await statusesFrom(NEIGHBOUR, house.url, 50)), new Set([200]))
    const {samples} = await metricsOf(house.serviceAddress)
    assert.equal(samples.get('handrail_refused_connections_total{limit="client"}'), 50)
    const told = house.lines.filter(({msg}) => String(msg).startsWith('refusing connections'))
    assert.deepEqual(
      told.map(({address}) => address),
      [ATTACKER],
      'logged once',
    )

    for (const socket of kept) socket.destroy()
    await eventually(
      () => askFrom(ATTACKER, house.url).catch(() => undefined),
      (answer) => answer?.status === 200,
    )
  })

  test('a client learns the keep-alive timeout', async (t) => {
    const house = await stageFor(t)
    const [kept] = await house.open(NEIGHBOUR, 1, REQUEST)
    const [answer]: Buffer[] = await once(kept ?? assert.fail(), 'data')
    assert.match(String(answer), /^keep-alive: timeout=72\r$/im)
  })
})

test('a connection on which nothing arrives between two checks is closed, any other is kept', async (t) => {
  t.mock.timers.enable({apis: ['setInterval']})
  const server = createServer(SERVER_LIMITS, (_request, reply) => reply.end())
  closeIdleConnections(server)
  const closes = once(server, 'close')
  const url = `http://127.0.0.1:${await listen(server, t)}`
  // When it closes, it clears the interval of its checks, which this test mocks.
  t.after(() => closes)
  const ask = async (socket: Socket) => {
    socket.write(REQUEST)
    await once(socket, 'data')
  }
  const idle = await connectFrom(ATTACKER, url)
  const busy = await connectFrom(NEIGHBOUR, url)
  await ask(idle)
  await ask(busy)
  t.mock.timers.tick(CHECK_EVERY)
  await ask(busy)
  const closed = once(idle, 'close')
  t.mock.timers.tick(CHECK_EVERY)
  await closed
  await ask(busy)
})
