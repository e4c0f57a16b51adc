import {once} from 'node:events'
import type {TestContext} from 'node:test'
import {WebSocket} from 'ws'
import {everywhere, type Role} from '../../../lake/access/rights/rights.ts'
import {PATIENCE} from '../../support/eventually.ts'
import type {RunningLake} from '../support/lake.ts'
import {accountsIn, signInByLink} from '../support/signIn.ts'

/** The response to a rejected opening. */
export class Refused extends Error {
  readonly status: number | undefined

  constructor(status: number | undefined) {
    super(`the socket was refused with ${status}`)
    this.status = status
  }
}

export type TestSocket = {
  readonly socket: WebSocket
  say(message: unknown): void
  /** The next message that matches; earlier ones are dropped. */
  hear(passes: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  /** The close code of the socket. */
  readonly closed: Promise<unknown>
}

/** Opens a WebSocket like a page of `origin`, from a client address. @throws Refused */
export async function openSocket(
  t: TestContext,
  url: string,
  headers: Record<string, string>,
  localAddress = '127.0.0.1',
): Promise<TestSocket> {
  const socket = new WebSocket(url, {headers, localAddress})
  t.after(() => socket.terminate())
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const heard: Record<string, unknown>[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    heard.push(JSON.parse(data.toString()))
    wake()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => reject(new Refused(response.statusCode)))
  })
  return {
    socket,
    closed,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    hear: async (passes) => {
      const deadline = AbortSignal.timeout(PATIENCE * 1_000)
      for (;;) {
        for (let next = heard.shift(); next !== undefined; next = heard.shift()) {
          if (passes(next)) return next
        }
        const {promise, resolve} = Promise.withResolvers<void>()
        wake = resolve
        await Promise.race([promise, once(deadline, 'abort').then(() => Promise.reject(deadline.reason))])
      }
    },
  }
}

/** Adds an editor to a lake and signs them in. */
export async function signIn(
  lake: RunningLake,
  name: string,
  role: Role = 'publisher',
): Promise<{id: string; cookie: string}> {
  const accounts = accountsIn(lake.stateFolder)
  const {id} = await accounts.addEditor({name, email: `${name}@example.com`, rights: everywhere(role)})
  return {id, cookie: await signInByLink(lake, id)}
}
