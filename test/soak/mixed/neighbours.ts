import type {Socket} from 'node:net'
import {setTimeout} from 'node:timers/promises'
import {connectFrom} from '../../support/client.ts'
import {parseExposition} from '../../support/metrics.ts'
import type {Random} from '../random.ts'
import {hold} from '../violation.ts'
import {Client} from './client.ts'
import {count, type Ground, pause} from './ground.ts'

/** Size of a connection flood: beyond the limit of one client (docs/operations.md). */
const FLOOD = 1_200

/** Occasionally opens more connections than a client may have, and sends nothing over them. */
export async function floodConnections(ground: Ground, random: Random): Promise<void> {
  const {serviceAddress, counts, signal} = ground
  for (;;) {
    await pause(random, 90_000, signal)
    const sockets: Socket[] = []
    try {
      for (let made = 0; made < FLOOD; made += 50) {
        const some = Array.from({length: 50}, () => connectFrom('127.0.2.1', serviceAddress))
        for (const connected of await Promise.allSettled(some))
          if (connected.status === 'fulfilled') sockets.push(connected.value)
        await setTimeout(20, undefined, {signal})
      }
      counts.idleConnections += sockets.length
      await setTimeout(random.between(2_000, 10_000), undefined, {signal})
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  }
}

/** A monitor that polls metrics and health. */
export async function monitor(ground: Ground): Promise<void> {
  const service = new Client(ground.serviceAddress, '127.0.0.1')
  const lake = new Client(ground.lakeAddress, '127.0.0.1')
  try {
    for (;;) {
      for (const [kind, client] of Object.entries({service, lake})) {
        for (const path of ['/metrics', '/readyz', '/healthz']) {
          const answer = await client.get(path)
          count(ground, `${kind}${path}`, answer)
          hold(answer.status === 200, `${path} of the ${kind} returned ${answer.status}: ${answer.text}`)
          if (path === '/metrics') parseExposition(answer.text)
        }
      }
      await setTimeout(5_000, undefined, {signal: ground.signal})
    }
  } finally {
    service.close()
    lake.close()
  }
}
