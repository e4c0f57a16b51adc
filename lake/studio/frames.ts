import {isJsonObject} from '../documents/document.ts'

// The tunnel's frames: JSON texts, each of one stream, which the browser numbers. Studio's end is its `fetch`.

/** What the browser says: open a stream, or close one. */
export type Asked =
  | {readonly id: number; readonly open: string; readonly headers: Readonly<Record<string, string>>}
  | {readonly id: number; readonly close: true}

/** What the lake says: how the request was answered, then parts of the body, then that it is over. */
export type Told =
  | {readonly id: number; readonly status: number; readonly type: string}
  | {readonly id: number; readonly data: string}
  | {readonly id: number; readonly end: true}

/** Request headers that a stream may carry. Cookies come with the socket. */
const FORWARDED = new Set(['accept', 'authorization', 'last-event-id'])
/** Event streams, and nothing else: the tunnel opens no second way to any other route. */
const STREAM_PATH = /^\/v[\w.-]+\/data\/(?:listen|live\/events)\/[\w~.-]+(?:\?|$)/

/** Reads a frame of the browser's; undefined when it is not one. */
export function readFrame(text: string): Asked | undefined {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isJsonObject(frame)) return undefined
  const {id, open, close, headers} = frame
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  if (close === true) return {id, close}
  // Node refuses a path with characters that a request line cannot hold, and would throw.
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
