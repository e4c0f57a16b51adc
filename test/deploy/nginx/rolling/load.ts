import {Agent} from 'node:https'
import {setTimeout} from 'node:timers/promises'
import {hold} from '../../../soak/violation.ts'
import type {RunningNginx} from '../../../support/network/nginx.ts'

/** Number of connections, and the interval between two requests of each in milliseconds. */
const CONNECTIONS = 16
const PAUSE = 50

/**
 * Requests configs through nginx until told to stop, over keep-alive connections and never twice for the same
 * path, so that each request reaches a replica.
 * @returns the number of responses.
 * @throws Violation if a response is missing or differs from the first.
 */
export async function askUntil(nginx: RunningNginx, config: string, stop: AbortSignal): Promise<number> {
  const {headers} = await nginx.get(`${config}?path=/first`)
  const {etag} = headers
  let answered = 0

  async function ask(connection: number): Promise<void> {
    const agent = new Agent({keepAlive: true, maxSockets: 1, ca: nginx.certificate})
    try {
      for (let number = 0; !stop.aborted; number++) {
        const path = `${config}?path=/${connection}/${number}`
        const answer = await nginx.get(path, {}, agent).catch((error: Error) => error)
        if (answer instanceof Error) hold(false, `${path} got no response: ${answer.message}`)
        else hold(answer.status === 200 && answer.headers.etag === etag, `${path}: ${JSON.stringify(answer)}`)
        answered++
        await setTimeout(PAUSE)
      }
    } finally {
      agent.destroy()
    }
  }

  await Promise.all(Array.from({length: CONNECTIONS}, (_, connection) => ask(connection)))
  return answered
}
