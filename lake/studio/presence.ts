import {randomUUID} from 'node:crypto'
import {get} from 'node:http'
import {text} from 'node:stream/consumers'
import type {FastifyInstance} from 'fastify'
import type {WebSocket} from 'ws'
import {isJsonObject, type JsonObject} from '../documents/document.ts'
import {HttpError} from '../errors.ts'
import {type Loopback, loopbackOf} from './loopback.ts'
import type {SocketRoute} from './sockets.ts'

/** An editor's open tab. */
type Tab = {
  readonly user: string
  readonly send: (message: JsonObject) => void
  /** The ids under which it asked to be told of others. */
  readonly subscriptions: Set<string>
  /** As the tab calls itself, once it said so. */
  session?: string
}

/**
 * `/socket/:dataset`: tells editors where in the content the others are, by JSON-RPC as Studio speaks it. Nothing of
 * it is kept.
 */
export function presence(app: FastifyInstance): SocketRoute<string> {
  const tabs = new Set<Tab>()
  const tell = (result: JsonObject) => {
    for (const {send, subscriptions} of tabs) {
      for (const subscription of subscriptions) {
        send({jsonrpc: '2.0', method: 'presence_subscription', params: {subscription, result}})
      }
    }
  }
  const leave = ({user, session}: Tab) => {
    if (session !== undefined) tell({type: 'disconnect', i: user, m: {session}})
  }

  /** Answers a call; what its result is matters to subscriptions alone. */
  const handle = (tab: Tab, method: unknown, params: JsonObject): string => {
    const {user: i, subscriptions} = tab
    if (method === 'presence_subscribe') {
      const id = randomUUID()
      subscriptions.add(id)
      return id
    }
    if (method === 'presence_unsubscribe') subscriptions.delete(String(params.subscriptionId))
    else if (method === 'presence_rollcall') tell({type: 'rollCall', i, session: params.session})
    else if (method === 'presence_announce' && isJsonObject(params.data)) {
      tab.session = String(params.data.sessionId)
      tell({type: 'state', i, m: params.data})
    } else if (method === 'presence_disconnect') leave(tab)
    return 'ok'
  }

  return {
    path: '/v:version/socket/:dataset',
    admit: (request) => userBehind(loopbackOf(app, request)),
    connect: (socket, _request, user) => {
      const tab: Tab = {user, send: (message) => say(socket, message), subscriptions: new Set()}
      tabs.add(tab)
      socket.on('message', (data) => {
        const call = parse(data.toString())
        if (call === undefined) return socket.close(1008, 'Not a call of JSON-RPC')
        const params = isJsonObject(call.params) ? call.params : {}
        say(socket, {jsonrpc: '2.0', id: call.id, result: handle(tab, call.method, params)})
      })
      socket.once('close', () => {
        tabs.delete(tab)
        leave(tab)
      })
    },
  }
}

/** Who signed in, as the lake's own route says. */
async function userBehind({host, port, headers}: Loopback): Promise<string> {
  const body = await new Promise<string>((resolve, reject) => {
    get({host, port, path: '/v1/users/me', headers, agent: false}, (answer) => {
      if (answer.statusCode === 200) return resolve(text(answer))
      answer.resume()
      reject(new HttpError(401, 'Presence is for who signed in'))
    }).once('error', reject)
  })
  const user = parse(body)
  if (typeof user?.id !== 'string') throw new HttpError(401, 'Presence is for who signed in')
  return user.id
}

function say(socket: WebSocket, message: JsonObject): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}

function parse(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
