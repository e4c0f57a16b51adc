import {randomUUID} from 'node:crypto'
import {Tally} from '../../common/tally.ts'
import {isJsonObject, type JsonObject} from '../documents/document.ts'
import type {OpenSocket, SocketRoute} from './sockets.ts'

/** Subscriptions of one tab. Studio makes one. */
const MAX_SUBSCRIPTIONS = 8
/** Bytes of a message. Studio's have some hundred. */
const MAX_MESSAGE_BYTES = 8_192
/** What the tabs of one user may announce in {@link WINDOW} milliseconds. */
const MAX_ANNOUNCEMENTS = 100
const WINDOW = 5_000
/** How many announcements a roll call counts as: every tab answers it with one. */
const ROLL_CALL_COST = 10

/** An editor's open tab. */
type Tab = {
  readonly user: string
  readonly send: (text: string) => void
  /** The ids under which it asked to be told of others. */
  readonly subscriptions: Set<string>
  /** As the tab calls itself, once it said so. */
  session?: string
}

/** What a call results in, or why it was refused. */
type Outcome = {readonly result: string} | {readonly error: {readonly code: number; readonly message: string}}

const OK: Outcome = {result: 'ok'}
// The range of JSON-RPC for errors of an implementation's own.
const TOO_LONG = refusal(-32_001, `A message may have ${MAX_MESSAGE_BYTES} bytes`)
const TOO_MANY_SUBSCRIPTIONS = refusal(-32_002, `A socket may have ${MAX_SUBSCRIPTIONS} subscriptions`)
const TOO_OFTEN = refusal(-32_003, `A user may send ${MAX_ANNOUNCEMENTS} messages in ${WINDOW / 1_000} s`)

/**
 * `/socket/:dataset`: tells editors where in the content the others are, by JSON-RPC as Studio speaks it. Nothing of
 * it is kept.
 */
export function presence(): SocketRoute {
  const tabs = new Set<Tab>()
  const mayAnnounce = announcementRate()

  const tell = (result: JsonObject) => {
    const json = JSON.stringify(result)
    for (const {send, subscriptions} of tabs) {
      for (const id of subscriptions)
        send(
          `{"jsonrpc":"2.0","method":"presence_subscription","params":{"subscription":"${id}","result":${json}}}`,
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

  /** Handles a call. What its result is matters to subscriptions alone. */
  const handle = (tab: Tab, method: unknown, params: JsonObject): Outcome => {
    const {user, subscriptions} = tab
    if (method === 'presence_subscribe') {
      if (subscriptions.size >= MAX_SUBSCRIPTIONS) return TOO_MANY_SUBSCRIPTIONS
      const id = randomUUID()
      subscriptions.add(id)
      return {result: id}
    }
    if (method === 'presence_unsubscribe') {
      subscriptions.delete(textOf(params.subscriptionId))
      return OK
    }
    if (!mayAnnounce(user, method === 'presence_rollcall' ? ROLL_CALL_COST : 1)) return TOO_OFTEN
    announce(tab, method, params)
    return OK
  }

  const connect = ({socket, principal, send}: OpenSocket): void => {
    const tab: Tab = {user: principal.id, send, subscriptions: new Set()}
    tabs.add(tab)
    socket.on('message', (data) => {
      const text = data.toString()
      const call = parse(text)
      if (call === undefined) return socket.close(1008, 'Not a call of JSON-RPC')
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

/** Counts what each user announces in a window of time. */
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

/** A text of a message. Anything else may be nested too deeply to be converted to one. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function parse(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
