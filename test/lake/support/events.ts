import {once} from 'node:events'
import {type IncomingMessage, request} from 'node:http'
import type {TestContext} from 'node:test'
import {createParser} from 'eventsource-parser'
import {PATIENCE} from '../../support/eventually.ts'
import {token} from './app.ts'

export type ReceivedEvent = {event?: string; id?: string | undefined; data?: unknown}

/** Opens an event stream from a client address. If it was accepted, it stays open and unread. */
export async function openFrom(
  context: TestContext,
  localAddress: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const asking = request(url, {localAddress, agent: false, headers}).end()
  context.after(() => asking.destroy())
  const [answer]: IncomingMessage[] = await once(asking, 'response')
  if (answer === undefined) throw new Error('no response')
  return answer
}

/** Opens so many streams concurrently and returns how many were accepted. */
export async function openMany(
  ...[count, ...stream]: [number, ...Parameters<typeof openFrom>]
): Promise<number> {
  const answers = await Promise.all(Array.from({length: count}, () => openFrom(...stream)))
  for (const answer of answers) answer.resume()
  return answers.filter(({statusCode}) => statusCode === 200).length
}

/** Opens an event stream with the token and reads it as it is sent, event by event. */
export async function readEvents(context: TestContext, url: string, headers: Record<string, string> = {}) {
  const controller = new AbortController()
  context.after(() => controller.abort())
  const response = await fetch(url, {
    headers: {authorization: `Bearer ${token}`, ...headers},
    signal: controller.signal,
  })
  const events: ReceivedEvent[] = []
  const waiting: ((event: ReceivedEvent) => void)[] = []
  const onEvent = (event: ReceivedEvent) => {
    const take = waiting.shift()
    if (take === undefined) events.push(event)
    else take(event)
  }
  return {
    response,
    close: () => controller.abort(),
    /** Settles when the stream has ended. */
    ended: read(response, onEvent).catch(() => {}),
    next: () =>
      new Promise<ReceivedEvent>((resolve, reject) => {
        const event = events.shift()
        if (event !== undefined) return resolve(event)
        const timer = setTimeout(() => reject(new Error('no event arrived')), PATIENCE * 1_000) // a bound for the wait
        waiting.push((received) => {
          clearTimeout(timer)
          resolve(received)
        })
      }),
  }
}

async function read({body}: Response, onEvent: (event: ReceivedEvent) => void): Promise<void> {
  const parser = createParser({
    onEvent: ({event, data, ...rest}) =>
      event !== undefined && onEvent({...rest, event, data: JSON.parse(data)}),
  })
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) parser.feed(decoder.decode(chunk, {stream: true}))
}
