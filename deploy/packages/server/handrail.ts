/** Where configs come from, and what they may cost. */
export type HandrailOptions = {
  /** The address of the service, such as `https://tools.example`. */
  service: string
  /** The public ID of the site. */
  site: string
  /** Milliseconds that a page waits for a config that is not in memory. Default 50. */
  timeout?: number
  /** Milliseconds for which an old config is still written while the service is unavailable. Default: an hour. */
  staleFor?: number
  /** Most paths in memory. Default 1,000. */
  maxEntries?: number
  /** Most bytes in memory, approximately. Default 16 MiB. */
  maxBytes?: number
  /** What sends requests. Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

type PageOptions = {
  /** Written to the element. Policies do not ask for it, as the element is data. */
  nonce?: string
  /** Where responses end what they started, the function that prolongs it: `ctx.waitUntil` of a Worker. */
  waitUntil?: (promise: Promise<unknown>) => void
}

type Handrail = {
  /**
   * The element that carries the tools of a page, for its HTML above the snippet's tag. Never rejects: without a config
   * in time, the text is empty, and the snippet fetches the config as usual.
   * @param page the path of the page, or its request.
   */
  toolsFor(page: string | {readonly url?: string | undefined}, options?: PageOptions): Promise<string>
}

/** `json`: undefined if the service has no such site. `modules`: what the snippet loads for these tools. */
type Entry = {json: string | undefined; modules: Module[]; tag: string; validAt: number; bytes: number}

type Module = 'conditions' | 'calls' | 'report'

/** Milliseconds until a config is revalidated: half of `max-age`, so that a page that is often visited has a fresh one. */
const REVALIDATE_AFTER = 30_000
/** Timeout of a request, in milliseconds. It does not delay a page. */
const REQUEST_TIMEOUT = 10_000
/** Initial and maximum back-off, in milliseconds. Doubles after each failure. */
const BACKOFF = 1_000
const MAX_BACKOFF = 30_000
/** Visitors choose paths: what they may cost at once. */
const MAX_REQUESTS = 64
const MAX_PATH = 2_048
/** Characters of a config. */
const MAX_CONFIG = 1_000_000

/**
 * Writes the tools of a site into the HTML of its pages.
 * @example
 * const {toolsFor} = createHandrail({service: 'https://tools.example', site: 'PUBLIC_ID'})
 * const tools = await toolsFor(request)
 * html = html.replace('</head>', () => tools + snippetTag + '</head>')
 */
export function createHandrail(options: HandrailOptions): Handrail {
  const {timeout = 50, staleFor = 3_600_000, maxEntries = 1_000, maxBytes = 16 * 2 ** 20} = options
  const request = options.fetch ?? fetch
  const service = options.service.replace(/\/+$/, '')
  const url = `${service}/api/sites/${encodeURIComponent(options.site)}/config?path=`
  // Maps keep the order of insertion: the first entry is the one that was used least recently.
  const entries = new Map<string, Entry>()
  const requests = new Map<string, Promise<void>>()
  let bytes = 0
  let failures = 0
  let retryAt = 0

  function forget(path: string): void {
    bytes -= entries.get(path)?.bytes ?? 0
    entries.delete(path)
  }

  function keep(path: string, entry: Entry): void {
    forget(path)
    bytes += entry.bytes
    entries.set(path, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries && bytes <= maxBytes) break
      forget(oldest)
    }
  }

  /** Fetches the config of a path into memory, or joins a request that is in flight. Never rejects. */
  function update(path: string, known: Entry | undefined): Promise<void> | undefined {
    const current = requests.get(path)
    if (current || Date.now() < retryAt || requests.size >= MAX_REQUESTS) return current
    const started = fetchConfig(path, known)
      .then((entry) => {
        failures = 0
        keep(path, entry)
      })
      .catch(() => {
        // Requests in flight together fail together: they count once.
        if (Date.now() < retryAt) return
        retryAt = Date.now() + Math.min(BACKOFF * 2 ** failures, MAX_BACKOFF)
        failures += 1
      })
      .finally(() => requests.delete(path))
    requests.set(path, started)
    return started
  }

  /** @throws if there is no response in time, or it is not a config. */
  async function fetchConfig(path: string, known: Entry | undefined): Promise<Entry> {
    const response = await request(url + encodeURIComponent(path), {
      headers: known?.tag ? {'if-none-match': known.tag} : {},
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    })
    const {status, headers} = response
    const validAt = Date.now() - (Number(headers.get('age')) || 0) * 1_000
    if (status === 304 && known) return {...known, validAt}
    const isTooLarge = Number(headers.get('content-length')) > MAX_CONFIG
    if (isTooLarge || (status !== 200 && status !== 404)) {
      await response.body?.cancel()
      throw new Error(isTooLarge ? 'too large' : `status ${status}`)
    }
    const text = await response.text()
    if (status === 404) return {json: undefined, modules: [], tag: '', validAt, bytes: 2 * path.length}
    const config = JSON.parse(text)
    if (text.length > MAX_CONFIG || !Array.isArray(config.tools) || !Array.isArray(config.formTools))
      throw new Error('not a config')
    // In JSON, it is in strings only. `</script` would end the element, and `<!--` change how it ends.
    const json = text.replaceAll('<', '\\u003c')
    const {conditional, formTools} = config
    const isCounted = formTools.some((form: {reportCalls?: unknown} | null) => form?.reportCalls)
    const modules: Module[] = [
      ...(conditional ? ['conditions' as const] : []),
      ...(isCounted ? (['calls', 'report'] as const) : []),
    ]
    return {json, modules, tag: headers.get('etag') ?? '', validAt, bytes: 2 * (path.length + json.length)}
  }

  function element(path: string, nonce: string | undefined): string {
    const entry = entries.get(path)
    if (entry?.json === undefined || Date.now() - entry.validAt > staleFor) return ''
    const attributes = {
      type: 'application/json',
      'data-handrail': options.site,
      'data-path': path,
      'data-tag': entry.tag,
      'data-at': new Date(entry.validAt).toISOString(),
      ...(nonce !== undefined && {nonce}),
    }
    return `<script ${write(attributes)}>${entry.json}</script>${entry.modules.map((name) => tagOf(name, nonce)).join('')}`
  }

  /**
   * What decides in the page runs when it is parsed, before `DOMContentLoaded`. What counts forms is there before an agent
   * leaves the page with one.
   */
  function tagOf(name: Module, nonce: string | undefined): string {
    const url = `${service}/snippet.${name}.js`
    const own = {crossorigin: '', ...(nonce !== undefined && {nonce})}
    return name === 'conditions'
      ? `<script ${write({type: 'module', src: url, ...own})}></script>`
      : `<link ${write({rel: 'modulepreload', href: url, ...own})}>`
  }

  return {
    async toolsFor(page, {nonce, waitUntil} = {}) {
      try {
        // As `location.pathname` in the page. The host does not matter.
        const path = new URL((typeof page === 'string' ? page : page.url) ?? '', 'http://page').pathname
        if (path.length > MAX_PATH) return ''
        const known = entries.get(path)
        if (known) keep(path, known)
        if (known && Date.now() - known.validAt < REVALIDATE_AFTER) return element(path, nonce)
        const updated = update(path, known)
        if (updated) waitUntil?.(updated)
        const isUsable = known && Date.now() - known.validAt <= staleFor
        if (updated && !isUsable) await inTime(updated, timeout)
        return element(path, nonce)
      } catch {
        return ''
      }
    },
  }
}

async function inTime(promise: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}

function write(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(' ')
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
