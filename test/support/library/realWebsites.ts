import {randomBytes} from 'node:crypto'
import {createServer, type IncomingMessage} from 'node:http'
import {text} from 'node:stream/consumers'
import {multipartValues} from '../../../making/multipart.ts'
import {listen} from '../network/ports.ts'

/** A website that guards its requests as a platform does, or sends them as a library does. */
type Website = {
  /** What its pages have in their head and form. */
  readonly head?: (token: string) => string
  readonly field?: (token: string) => string
  /** A cookie that scripts can read. */
  readonly cookie?: (token: string) => string
  /** The expression of its request; `words` is what the visitor typed. */
  readonly sends: (token: string) => string
  /** The status of a request without the token. */
  readonly refusal?: number
  readonly isAllowed?: (request: IncomingMessage, body: string, token: string) => boolean
  /** The words that a request looks for. */
  readonly wordsOf?: (url: URL, body: string) => string
}

const json = (headers: string, body = '{words}') =>
  `fetch(location.pathname + '/api', {method: 'POST', headers: {'content-type': 'application/json', ${headers}}, body: JSON.stringify(${body})})`
const header = (name: string) => (request: IncomingMessage, _body: string, token: string) =>
  request.headers[name] === token
const cookie = 'decodeURIComponent(document.cookie.match(/XSRF-TOKEN=([^;]*)/)[1])'
const QUERY = 'query SearchBooks($words: String!) { books(words: $words) { title } }'
const form = (
  name: string,
  body: string,
  valuesOf: (body: string) => URLSearchParams | undefined,
): Website => ({
  field: (token) => `<input type="hidden" name="${name}" value="${token}"><input type="file" name="photo">`,
  sends: () => `fetch(location.pathname + '/api', {method: 'POST', body: ${body}})`,
  refusal: 400,
  isAllowed: (_request, body, token) => valuesOf(body)?.get(name) === token,
  wordsOf: (_url, body) => valuesOf(body)?.get('words') ?? '',
})

/** By their names, which are their paths, too. */
export const WEBSITES: Readonly<Record<string, Website>> = {
  rails: {
    head: (token) => `<meta name="csrf-token" content="${token}">`,
    sends: () => json("'X-CSRF-Token': document.querySelector('meta[name=csrf-token]').content"),
    refusal: 422,
    isAllowed: header('x-csrf-token'),
  },
  laravel: {
    cookie: (token) => `XSRF-TOKEN=${encodeURIComponent(token)}`,
    sends: () => json(`'X-XSRF-TOKEN': ${cookie}`),
    refusal: 419,
    isAllowed: header('x-xsrf-token'),
  },
  aspnet: form(
    '__RequestVerificationToken',
    'new URLSearchParams([...new FormData(form)].slice(0, 1).concat([["words", words]]))',
    (body) => new URLSearchParams(body),
  ),
  magento: form('form_key', 'new FormData(form)', multipartValues),
  wordpress: {
    sends: (token) => json(`'X-WP-Nonce': ${JSON.stringify(token)}`),
    refusal: 403,
    isAllowed: header('x-wp-nonce'),
  },
  spa: {
    sends: (token) => `fetch('/spa/api?q=' + words, {headers: {Authorization: 'Bearer ${token}'}})`,
    refusal: 401,
    isAllowed: (request, _body, token) => request.headers.authorization === `Bearer ${token}`,
    wordsOf: ({searchParams}) => searchParams.get('q') ?? '',
  },
  catalogue: {
    field: () =>
      '<select name="branch"><option value="">All</option><option value="c" selected>Central</option><option value="h">Harbour</option></select>',
    sends: () => "fetch('/catalogue/api?' + new URLSearchParams(new FormData(form)))",
    wordsOf: ({searchParams}) => [searchParams.get('words'), searchParams.get('branch')].join(' in '),
  },
  algolia: {
    sends: () =>
      json(
        '',
        "{requests: [{indexName: 'books', params: new URLSearchParams({query: words, hitsPerPage: 20}) + ''}]}",
      ),
    wordsOf: (_url, body) => new URLSearchParams(JSON.parse(body).requests[0].params).get('query') ?? '',
  },
  graphqlGet: {
    sends: () =>
      `fetch('/graphqlGet/api?' + new URLSearchParams({operationName: 'SearchBooks', query: ${JSON.stringify(QUERY)}, variables: JSON.stringify({words})}))`,
    wordsOf: ({searchParams}) =>
      searchParams.get('query') === QUERY ? JSON.parse(searchParams.get('variables') ?? '').words : '',
  },
  graphqlPost: {
    sends: () =>
      json('', `{operationName: 'SearchBooks', query: ${JSON.stringify(QUERY)}, variables: {words}}`),
    wordsOf: (_url, body) => (JSON.parse(body).query === QUERY ? JSON.parse(body).variables.words : ''),
  },
}

/** Each at its own path, with a token for each session. A request of `/leave` is led to another origin. */
export async function startRealWebsites(tag: () => string) {
  const sessions = new Map<string, string>()
  const strangers: string[] = []
  const server = createServer(async (request, response): Promise<unknown> => {
    const url = new URL(request.url ?? '/', 'http://website.example')
    const [, name = '', part] = url.pathname.split('/')
    const website = WEBSITES[name]
    const known = /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    if (request.headers.host?.startsWith('localhost')) strangers.push(JSON.stringify(request.headers))
    if (name === 'leave')
      return response.writeHead(307, {location: `http://localhost:${port}/stranger`}).end()
    if (!website) return response.writeHead(404).end()
    if (part === 'api') {
      const body = await text(request)
      const isAllowed = website.isAllowed?.(request, body, sessions.get(known) ?? '-') ?? true
      const words = isAllowed ? (website.wordsOf?.(url, body) ?? JSON.parse(body).words) : ''
      response.writeHead(isAllowed ? 200 : (website.refusal ?? 400), {'content-type': 'application/json'})
      return response.end(
        // No number of JavaScript has these digits.
        isAllowed
          ? `{"data":{"id":653247040368672768,"title":${JSON.stringify(`About ${words}`)}}}`
          : '{"message":"No token"}',
      )
    }
    const session = randomBytes(9).toString('hex')
    const token = `${randomBytes(24).toString('base64')}==`
    sessions.set(session, token)
    const cookies = [
      `sid=${session}; HttpOnly; Path=/`,
      ...(website.cookie ? [`${website.cookie(token)}; Path=/`] : []),
    ]
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8', 'set-cookie': cookies})
    return response.end(`<!doctype html><html lang="en"><title>${name}</title><link rel="icon" href="data:,">
${website.head?.(token) ?? ''}${tag()}<form>${website.field?.(token) ?? ''}
<label>Words <input name="words"></label><button>Search</button></form>
<script>const form = document.forms[0]
form.onsubmit = (event) => {
  event.preventDefault()
  const words = form.words.value
  ${website.sends(token)}
}</script>`)
  })
  const port = await listen(server)
  return {
    address: `http://127.0.0.1:${port}`,
    sessions,
    /** Requests that reached the other origin. */
    strangers,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
