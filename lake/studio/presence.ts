import {randomUUID} from 'node:crypto'
import {isJsonObject, type JsonObject, jsonIn} from '../../common/json.ts'
import {Tally} from '../http/limits/tally.ts'
import type {OpenSocket, SocketRoute} from './sockets.ts'

/** Maximum size of a message. Studio's have a few hundred bytes. */
const MAX_MESSAGE_BYTES = 8_192
/** Maximum announcements by the tabs of one user within {@link WINDOW} milliseconds. */
const MAX_ANNOUNCEMENTS = 100
const WINDOW = 5_000
/** How many announcements a roll call counts as: every tab responds to it with one. */
const ROLL_CALL_COST = 10

/** An editor's open tab. */
type Tab = {
  readonly user: string
  readonly send: (text: string) => void
  /** The id of its subscription to other tabs. Studio makes one. */
  subscription?: string
  /** The session id that the tab announced, if it has. */
  session?: string
}

/** The result of a call, or the reason for refusing it. */
type Outcome = {readonly result: string} | {readonly error: {readonly code: number; readonly message: string}}

const OK: Outcome = {result: 'ok'}
// JSON-RPC reserves this range for implementation-defined errors.
const TOO_LONG = refusal(-32_001, `A message can have at most ${MAX_MESSAGE_BYTES} bytes`)
const TOO_OFTEN = refusal(
  -32_003,
  `A user can send at most ${MAX_ANNOUNCEMENTS} messages in ${WINDOW / 1_000} s`,
)

/**
 * `/socket/:dataset`: shows editors which document the others have open, with Studio's JSON-RPC messages.
 * Nothing is stored.
 */
export function presence(): SocketRoute {
  const tabs = new Set<Tab>()
  const mayAnnounce = announcementRate()

  const tell = (result: JsonObject) => {
    const json = JSON.stringify(result)
    for (const {send, subscription} of tabs) {
      if (subscription === undefined) continue
      send(
        `{"jsonrpc":"2.0","method":"presence_subscription","params":{"subscription":"${subscription}","result":${json}}}`,
      )
    }
  }
  const leave = ({user, session}: Tab) => {
    if (session !== undefined) tell({type: 'disconnect', i: user, m: {session}})
  }

  const announce = (tab: Tab, method: unknown, params: JsonObject): void => {
    const {user: i} = tab
    if (method === 'presence_rollcall') tell({type: 'rollCall', i, session: textOf(params.session)})
    else if (method === 'presence_disconnect') leave(tab)
    else if (method === 'presence_announce' && isJsonObject(params.data)) {
      tab.session = textOf(params.data.sessionId)
      tell({type: 'state', i, m: params.data})
    }
  }

  /** Handles a call. The result matters only for subscriptions. */
  const handle = (tab: Tab, method: unknown, params: JsonObject): Outcome => {
    if (method === 'presence_subscribe') {
      tab.subscription = randomUUID()
      return {result: tab.subscription}
    }
    if (method === 'presence_unsubscribe') {
      if (tab.subscription === params.subscriptionId) delete tab.subscription
      return OK
    }
    if (!mayAnnounce(tab.user, method === 'presence_rollcall' ? ROLL_CALL_COST : 1)) return TOO_OFTEN
    announce(tab, method, params)
    return OK
  }

  const connect = ({socket, principal, send}: OpenSocket): void => {
    const tab: Tab = {user: principal.id, send}
    tabs.add(tab)
    socket.on('message', (data) => {
      const text = data.toString()
      const call = jsonIn(text)
      if (!isJsonObject(call)) return socket.close(1008, 'Not a JSON-RPC request')
      const params = isJsonObject(call.params) ? call.params : {}
      const isTooLong = Buffer.byteLength(text) > MAX_MESSAGE_BYTES
      const outcome = isTooLong ? TOO_LONG : handle(tab, call.method, params)
      const id = typeof call.id === 'string' || typeof call.id === 'number' ? call.id : null
      send(JSON.stringify({jsonrpc: '2.0', id, ...outcome}))
    })
    socket.once('close', () => {
      tabs.delete(tab)
      leave(tab)
    })
  }

  return {path: '/v:version/socket/:dataset', connect}
}

/** Counts each user's announcements within a time window. */
function announcementRate(): (user: string, cost: number) => boolean {
  let counts = new Tally()
  let endsAt = 0
  return (user, cost) => {
    const now = performance.now()
    if (now >= endsAt) {
      counts = new Tally()
      endsAt = now + WINDOW
    }
    if (counts.of(user) + cost > MAX_ANNOUNCEMENTS) return false
    counts.add(user, cost)
    return true
  }
}

function refusal(code: number, message: string): Outcome {
  return {error: {code, message}}
}

/** Returns a string from a message. Any other value might be nested too deeply to convert to a string. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
