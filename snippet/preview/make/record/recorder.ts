import {membersOf} from '../../../members.ts'
import {type Exchanges, mayBeUseful} from './exchanges.ts'

/**
 * Records the requests that the page sends with `fetch` and XMLHttpRequest, and finds others in the timeline. It reads
 * no header of a request.
 * @param isOwn whether an address is the service's
 * @returns a function that ends it
 */
export function record(exchanges: Exchanges, isOwn: (address: string) => boolean): () => void {
  const ends = [recordFetch(exchanges, isOwn), recordXhr(exchanges, isOwn), watchTimeline(exchanges, isOwn)]
  return () => {
    for (const end of ends) end()
  }
}

function recordFetch(exchanges: Exchanges, isOwn: (address: string) => boolean): () => void {
  const own = window.fetch
  let isOn = true
  const recording: typeof fetch = (...call) => {
    const note = isOn ? noteOf(call) : undefined
    const sent = own.apply(window, call)
    if (note && !isOwn(note.address)) void follow(note, sent)
    return sent
  }

  async function follow({request, ...note}: FetchNote, sent: Promise<Response>): Promise<void> {
    const id = exchanges.begin(note)
    try {
      const response = await sent
      const contentType = response.headers.get('content-type') ?? ''
      const text = mayBeUseful(contentType) ? await response.clone().text() : ''
      const body = await request?.text()
      exchanges.answer(id, {status: response.status, contentType, text, ...(body && {body})})
    } catch {
      exchanges.fail(id)
    }
  }

  window.fetch = recording
  return () => {
    isOn = false
    // The page may have wrapped it once more.
    if (window.fetch === recording) window.fetch = own
  }
}

type Note = {method: string; address: string; body?: string}

/** `request`: a copy whose body is still to be read. */
type FetchNote = Note & {request?: Request}

function noteOf([input, init]: Parameters<typeof fetch>): FetchNote | undefined {
  try {
    if (!(input instanceof Request)) return noted(init?.method, String(input), init?.body)
    const note = noted(init?.method ?? input.method, input.url, init?.body)
    const isUnread = note && !init?.body && input.body && !input.bodyUsed
    return isUnread ? {...note, request: input.clone()} : note
  } catch {
    // The browser refuses the call as well.
    return undefined
  }
}

function noted(method = 'GET', url: string, body: unknown): Note | undefined {
  const address = URL.parse(url, document.baseURI)
  if (!address) return undefined
  address.hash = ''
  const isText = typeof body === 'string' || body instanceof URLSearchParams
  return {
    method: method.toUpperCase(),
    address: address.href,
    ...(body ? {body: isText ? String(body) : NO_TEXT} : {}),
  }
}

/** Stands for a file, or another body that no tool can send. */
const NO_TEXT = '(not text)'

function recordXhr(exchanges: Exchanges, isOwn: (address: string) => boolean): () => void {
  const {prototype} = XMLHttpRequest
  const {open, send} = prototype
  const opened = new WeakMap<XMLHttpRequest, readonly unknown[]>()
  let isOn = true
  const recording = {
    open(this: XMLHttpRequest, ...call: unknown[]) {
      opened.set(this, call)
      return Reflect.apply(open, this, call)
    },
    send(this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | Document | null) {
      const [method, url] = opened.get(this) ?? []
      const note = isOn && url ? noted(String(method), String(url), body) : undefined
      if (note && !isOwn(note.address)) {
        const id = exchanges.begin(note)
        this.addEventListener('loadend', () => {
          if (this.status) exchanges.answer(id, answerOf(this))
          else exchanges.fail(id)
        })
      }
      return send.call(this, body)
    },
  }
  Object.assign(prototype, recording)
  return () => {
    isOn = false
    if (prototype.send === recording.send) Object.assign(prototype, {open, send})
  }
}

function answerOf(request: XMLHttpRequest): {status: number; contentType: string; text: string} {
  const {status, responseType, response} = request
  const contentType = request.getResponseHeader('content-type') ?? ''
  const text =
    responseType === 'json' ? JSON.stringify(response) : typeof response === 'string' ? response : ''
  return {status, contentType, text: mayBeUseful(contentType) ? text : ''}
}

/** The page may have kept its own `fetch`, and some requests were sent before the recording began. */
function watchTimeline(exchanges: Exchanges, isOwn: (address: string) => boolean): () => void {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const {name, startTime} = entry
      const {initiatorType, contentType = ''} = membersOf(entry)
      const isRequest = initiatorType === 'fetch' || initiatorType === 'xmlhttprequest'
      if (!isRequest || isOwn(name) || !mayBeUseful(String(contentType)) || exchanges.has(name, startTime))
        continue
      const exchange = {method: 'GET', address: name}
      exchanges.begin(exchange, 'timeline', startTime)
    }
  })
  observer.observe({type: 'resource', buffered: true})
  return () => observer.disconnect()
}
