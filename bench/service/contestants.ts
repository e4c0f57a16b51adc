import {setTimeout} from 'node:timers/promises'
import {answerOf} from './answer.ts'
import type {Contestant} from './contest.ts'
import {pathWith, type Target} from './load.ts'
import type {Server} from './servers.ts'

/** Interval between checks whether an encoding is available, in milliseconds, and their maximum number. */
const LOOK_EVERY = 100
const LOOKS = 50

/** Creates a contestant for conditional requests with the current entity tag. */
export async function revalidated(server: Server, path: string, encoding?: Encoding): Promise<Contestant> {
  const {name, target} = await contestant(server, {path}, encoding ? {encoding} : {})
  const {entityTag} = await answerOf(`${server.address}${path}`, target.headers)
  const headers = {...target.headers, 'if-none-match': entityTag}
  return contestant(server, {path, headers, status: 304}, {name})
}

type Encoding = 'br' | 'gzip'

/**
 * Creates a contestant for full responses.
 * @throws if its response is not as expected.
 */
export async function contestant(
  server: Server,
  target: Omit<Target, 'address' | 'status'> & {status?: number},
  {encoding, name}: {encoding?: Encoding; name?: string} = {},
): Promise<Contestant> {
  const headers = {...target.headers, ...(encoding ? {'accept-encoding': encoding} : {})}
  const whole: Target = {status: 200, ...target, headers, address: server.address}
  const sent = await sentFor(whole, encoding)
  return {name: name ?? (encoding ? `${server.name}, ${encoding}` : server.name), server, target: whole, sent}
}

/** Describes the response to the first request. The service may need a moment to provide an encoding. */
async function sentFor({address, path, headers, status}: Target, encoding?: Encoding): Promise<string> {
  const url = `${address}${pathWith(path, 0)}`
  for (let look = 0; ; look += 1) {
    const answer = await answerOf(url, headers)
    if (answer.status !== status) throw new Error(`${url} returns ${answer.status} instead of ${status}`)
    if (status !== 304 && answer.body.byteLength === 0) throw new Error(`${url} returns nothing`)
    const bytes = `${answer.body.byteLength.toLocaleString('en-US')} B`
    if (status === 304) return 'nothing'
    if (answer.encoding === (encoding ?? 'identity')) return encoding ? `${encoding}, ${bytes}` : bytes
    if (look === LOOKS) throw new Error(`${url} is encoded as ${answer.encoding} instead of ${encoding}`)
    await setTimeout(LOOK_EVERY)
  }
}
