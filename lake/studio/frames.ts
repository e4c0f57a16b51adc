import {isJsonObject, jsonIn} from '../../common/json.ts'

// The frames of the tunnel: JSON texts. Each belongs to one stream, which the browser numbers. Studio's side
// of the tunnel is its `fetch`.

/** A frame from the browser: opens or closes a stream. */
type Asked =
  | {readonly id: number; readonly open: string; readonly headers: Readonly<Record<string, string>>}
  | {readonly id: number; readonly close: true}

/** A frame from the lake: the response's status, then parts of the body, then the end. */
export type Told =
  | {readonly id: number; readonly status: number; readonly type: string}
  | {readonly id: number; readonly data: string}
  | {readonly id: number; readonly end: true}

/** Request headers that a stream may carry. Cookies come with the WebSocket. */
const FORWARDED = new Set(['accept', 'authorization', 'last-event-id'])
/** Only event streams: the tunnel must not give access to any other route. */
const STREAM_PATH = /^\/v[\w.-]+\/data\/(?:listen|live\/events)\/[\w~.-]+(?:\?|$)/

/** Parses a frame from the browser; undefined if it is invalid. */
export function readFrame(text: string): Asked | undefined {
  const frame = jsonIn(text)
  if (!isJsonObject(frame)) return undefined
  const {id, open, close, headers} = frame
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  if (close === true) return {id, close}
  // Node throws for a path with characters that a request line cannot hold.
  if (typeof open !== 'string' || !STREAM_PATH.test(open) || !/^[\x21-\x7e]+$/.test(open)) return undefined
  return {id, open, headers: pickHeaders(headers)}
}

function pickHeaders(headers: unknown): Record<string, string> {
  const picked: Record<string, string> = {}
  if (!isJsonObject(headers)) return picked
  for (const [name, value] of Object.entries(headers)) {
    if (FORWARDED.has(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) picked[name] = value
  }
  return picked
}
