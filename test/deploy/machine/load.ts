import {Agent, request} from 'node:https'
import type {Socket} from 'node:net'
import {setTimeout} from 'node:timers/promises'
import {hold} from '../../soak/violation.ts'

/** Number of visitors, each with an address of its own, and the interval between two requests of each in milliseconds. */
const VISITORS = 8
const PAUSE = 500

/**
 * Requests configs and a build of the snippet through nginx until told to stop, over keep-alive connections and configs never twice
 * for the same path, so that each request reaches a replica.
 * @param urls the config and the snippet
 * @returns the number of responses
 * @throws Violation if a response is missing or differs from the first
 */
export async function askUntil(
  {config, snippet}: {readonly config: string; readonly snippet: string},
  ca: string,
  stop: AbortSignal,
): Promise<number> {
  const first = new Map<string, string>()
  let answered = 0

  async function expectSame(agent: Agent, url: string, query: string): Promise<void> {
    const answer = await get(agent, url + query).catch((error: Error) => error.message)
    const expected = first.get(url) ?? answer
    hold(/^200 "/.test(answer) && answer === expected, `${url}${query}: ${answer} after ${expected}`)
    first.set(url, answer)
    answered += 1
  }

  async function visit(visitor: number): Promise<void> {
    const agent = new Agent({keepAlive: true, maxSockets: 1, ca, localAddress: `127.0.1.${visitor + 1}`})
    try {
      for (let page = 0; !stop.aborted; page++) {
        await expectSame(agent, config, `?path=/${visitor}/${page}`)
        await expectSame(agent, snippet, '')
        await setTimeout(PAUSE) // as visitors pause
      }
    } finally {
      agent.destroy()
    }
  }

  await Promise.all(Array.from({length: VISITORS}, (_, visitor) => visit(visitor)))
  return answered
}

/** Sockets that a request was sent on. `reusedSocket` misses those that an agent hands straight to a request in its queue. */
const used = new WeakSet<Socket>()

/** The status and the entity tag, or the body of a failure. nginx may close an idle connection when it is reloaded. */
async function get(agent: Agent, url: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const sent = request(url, {agent}, (response) => {
      let body = ''
      response.on('data', (part: Buffer) => {
        body += part
      })
      response.on('error', reject)
      response.on('end', () => {
        resolve(
          `${response.statusCode} ${response.statusCode === 200 ? response.headers.etag : body.slice(0, 500)}`,
        )
      })
    })
    let isReused = false
    sent.on('socket', (socket) => {
      isReused = used.has(socket)
      used.add(socket)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (isReused && error.code === 'ECONNRESET') resolve(get(agent, url))
      else reject(error)
    })
    sent.end()
  })
}
