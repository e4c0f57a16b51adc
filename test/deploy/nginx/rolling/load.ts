import {Agent} from 'node:https'
import {setTimeout} from 'node:timers/promises'
import {hold} from '../../../soak/violation.ts'
import type {RunningNginx} from '../../../support/network/nginx.ts'

/** Number of connections, and the interval between two requests of each in milliseconds. */
const CONNECTIONS = 12
const PAUSE = 100

/**
 * Requests configs and a build of the snippet through nginx until told to stop, over keep-alive connections and configs never twice
 * for the same path, so that each request reaches a replica.
 * @returns the number of responses.
 * @throws Violation if a response is missing or differs from the first.
 */
export async function askUntil(
  nginx: RunningNginx,
  config: string,
  snippet: string,
  stop: AbortSignal,
): Promise<number> {
  const first = new Map<string, string | undefined>()
  for (const path of [config, snippet]) first.set(path, (await nginx.get(path)).headers.etag)
  let answered = 0

  async function expectFirst(agent: Agent, of: string, path: string): Promise<void> {
    const answer = await nginx.get(path, {}, agent).catch((error: Error) => error)
    if (answer instanceof Error) hold(false, `${path} got no response: ${answer.message}`)
    else
      hold(
        answer.status === 200 && answer.headers.etag === first.get(of),
        `${path}: ${JSON.stringify(answer)}`,
      )
  }

  async function ask(connection: number): Promise<void> {
    const agent = new Agent({keepAlive: true, maxSockets: 1, ca: nginx.certificate})
    try {
      for (let number = 0; !stop.aborted; number++) {
        await expectFirst(agent, config, `${config}?path=/${connection}/${number}`)
        await expectFirst(agent, snippet, snippet)
        answered += 2
        await setTimeout(PAUSE) // as visitors pause, so that one address stays below its limit
      }
    } finally {
      agent.destroy()
    }
  }

  await Promise.all(Array.from({length: CONNECTIONS}, (_, connection) => ask(connection)))
  return answered
}
