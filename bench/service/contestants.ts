import {plainGet} from '../../test/support/network/plainGet.ts'
import type {Contestant} from './contest.ts'
import {pathWith, type Target} from './load.ts'
import type {Server} from './servers.ts'

/** Creates a contestant for conditional requests with the current entity tag. */
export async function revalidated(server: Server, path: string): Promise<Contestant> {
  const {headers} = await plainGet(server.address + path, undefined)
  return contestant(server, {path, headers: {'if-none-match': String(headers.etag)}, status: 304})
}

/**
 * Creates a contestant for full responses.
 * @throws if its response is not as expected.
 */
export async function contestant(
  server: Server,
  target: Omit<Target, 'address' | 'status'> & {status?: number},
  name = server.name,
): Promise<Contestant> {
  const whole: Target = {status: 200, ...target, address: server.address}
  const {status, path, headers = {}} = whole
  const url = server.address + pathWith(path, 0)
  const answer = await plainGet(url, undefined, headers['if-none-match'])
  if (answer.status !== status) throw new Error(`${url} returns ${answer.status} instead of ${status}`)
  const bytes = answer.body.byteLength
  if (status !== 304 && bytes === 0) throw new Error(`${url} returns nothing`)
  const sent = status === 304 ? 'nothing' : `${bytes.toLocaleString('en-US')} B`
  return {name, server, target: whole, sent}
}
