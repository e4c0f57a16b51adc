import {once} from 'node:events'
import {type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request} from 'node:http'
import {connect, type Socket} from 'node:net'
import {text} from 'node:stream/consumers'

/** A response that was read to its end. */
export type Answer = {status: number; headers: IncomingHttpHeaders; body: string}

/**
 * One request from a chosen client address: every address in 127.0.0.0/8 is this machine.
 * @param body the request body, if any.
 */
export async function askFrom(
  address: string,
  url: string,
  {body, ...options}: RequestOptions & {body?: string} = {},
): Promise<Answer> {
  const asking = request(url, {localAddress: address, agent: false, ...options})
  asking.end(body)
  const [answer]: IncomingMessage[] = await once(asking, 'response')
  if (!answer) throw new Error('no response')
  return {status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer)}
}

/** The statuses of this many consecutive requests. */
export async function statusesFrom(address: string, url: string, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let asked = 0; asked < count; asked++) statuses.push((await askFrom(address, url)).status)
  return statuses
}

/** A connection that sends nothing unless told to. Its end is not an error. */
export async function connectFrom(address: string, url: string): Promise<Socket> {
  const {hostname, port} = new URL(url)
  const socket = connect({host: hostname, port: Number(port), localAddress: address})
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
