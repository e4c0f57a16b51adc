import {decoded} from '../../../actions/run/html/otherPages.ts'
import {multipartText} from '../../../making/multipart.ts'
import type {Answer, Exchanges, Note} from './exchanges.ts'

/**
 * Records the requests that the page sends with `fetch` and XMLHttpRequest.
 * @param isOwn whether an address is the service's
 * @returns a function that ends it
 */
export function record(recording: Exchanges, isOwn: (address: string) => boolean): () => void {
  const endFetch = recordFetch(recording, isOwn)
  const endXhr = recordXhr(recording, isOwn)
  return () => {
    endFetch()
    endXhr()
  }
}

function recordFetch(recording: Exchanges, isOwn: (address: string) => boolean): () => void {
  const own = window.fetch
  let isOn = true
  const replaced: typeof fetch = (...call) => {
    const note = isOn ? noteOf(call) : undefined
    const sent = own.apply(window, call)
    if (note && !isOwn(note.address)) void follow(note, sent)
    return sent
  }

  async function follow({request, ...note}: FetchNote, sent: Promise<Response>): Promise<void> {
    const id = recording.begin(note)
    try {
      const response = await sent
      const contentType = response.headers.get('content-type') ?? ''
      const text = !isRead(contentType)
        ? ''
        : /html/i.test(contentType)
          ? decoded(await response.clone().arrayBuffer(), contentType)
          : await response.clone().text()
      const body = await request?.text()
      const led = response.redirected ? response.url : undefined
      recording.answer(id, {status: response.status, contentType, text, led, ...(body && {body})})
    } catch {
      recording.fail(id)
    }
  }

  window.fetch = replaced
  return () => {
    isOn = false
    // The page may have wrapped it once more.
    if (window.fetch === replaced) window.fetch = own
  }
}

/** `request`: a copy whose body is still to be read. */
type FetchNote = Note & {request?: Request}

function noteOf([input, init]: Parameters<typeof fetch>): FetchNote | undefined {
  try {
    if (!(input instanceof Request))
      return noted(init?.method, String(input), init?.body, pairsOf(init?.headers))
    const headers = pairsOf(init?.headers ?? input.headers)
    const note = noted(init?.method ?? input.method, input.url, init?.body, headers)
    const isUnread = note && !init?.body && input.body && !input.bodyUsed
    return isUnread ? {...note, request: input.clone()} : note
  } catch {
    // The browser refuses the call as well.
    return undefined
  }
}

/** An iterator has none here: it would be used up before the page’s own call. */
function pairsOf(headers: HeadersInit = {}): Note['headers'] {
  if (headers instanceof Headers) return [...headers]
  return Array.isArray(headers)
    ? headers.map(([name = '', value = '']) => [name, value])
    : Object.entries(headers)
}

function noted(method = 'GET', url: string, body: unknown, headers: Note['headers']): Note | undefined {
  const address = URL.parse(url, document.baseURI)
  if (!address) return undefined
  address.hash = ''
  return {
    method: method.toUpperCase(),
    address: address.href,
    headers,
    ...(body ? {body: textOf(body)} : {}),
  }
}

function textOf(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  const parts = body instanceof FormData ? [...body].filter(([, value]) => !isUnchosen(value)) : []
  const texts = parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  return parts.length > 0 && texts.length === parts.length ? multipartText(texts) : NO_TEXT
}

/** A field for a file that a person left empty. */
function isUnchosen(value: FormDataEntryValue): boolean {
  return value instanceof File && value.size === 0 && value.name === ''
}

/** Stands for a file, or another body that no tool can send. */
const NO_TEXT = '(not text)'

function recordXhr(recording: Exchanges, isOwn: (address: string) => boolean): () => void {
  const {prototype} = XMLHttpRequest
  const {open, send, setRequestHeader} = prototype
  const opened = new WeakMap<XMLHttpRequest, {call: readonly unknown[]; headers: [string, string][]}>()
  let isOn = true
  const replaced = {
    open(this: XMLHttpRequest, ...call: unknown[]) {
      opened.set(this, {call, headers: []})
      return Reflect.apply(open, this, call)
    },
    setRequestHeader(this: XMLHttpRequest, name: string, value: string) {
      setRequestHeader.call(this, name, value)
      opened.get(this)?.headers.push([name, value])
    },
    send(this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | Document | null) {
      const {call: [method, url] = [], headers = []} = opened.get(this) ?? {}
      const note = isOn && url ? noted(String(method), String(url), body, headers) : undefined
      if (note && !isOwn(note.address)) {
        const id = recording.begin(note)
        this.addEventListener('loadend', () => {
          if (this.status) recording.answer(id, answerOf(this, note.address))
          else recording.fail(id)
        })
      }
      return send.call(this, body)
    },
  }
  Object.assign(prototype, replaced)
  return () => {
    isOn = false
    if (prototype.send === replaced.send) Object.assign(prototype, {open, send, setRequestHeader})
  }
}

function answerOf(request: XMLHttpRequest, address: string): Answer {
  const {status, responseType, response, responseURL} = request
  const contentType = request.getResponseHeader('content-type') ?? ''
  const text =
    responseType === 'json' ? JSON.stringify(response) : typeof response === 'string' ? response : ''
  const led = responseURL && responseURL !== address ? responseURL : undefined
  return {status, contentType, text: isRead(contentType) ? text : '', led}
}

/** Whether a response of a type is read. A stream of events never ends. */
export function isRead(contentType: string): boolean {
  return !/^(?:image|font|audio|video)\/|css|javascript|event-stream|ndjson|grpc|octet-stream/i.test(
    contentType,
  )
}
