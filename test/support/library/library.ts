import {createServer} from 'node:http'
import {listen} from '../network/ports.ts'

/** What the library's pages send and get that no tool may contain. */
export const SECRETS = {
  cookie: 'COOKIE-6f1d',
  authorization: 'AUTHORIZATION-93ab',
  answer: 'ANSWER-c07e',
  password: 'PASSWORD-5b2c',
  token: 'TOKEN-7e40',
} as const

/** A header that the library’s pages add, and that its loans need. */
const APP_TOKEN = 'x-app-token'

const EVENTS = [
  {title: 'Knots for beginners', date: '2026-12-01', branch: 'Harbour', seats: 12},
  {title: 'Rope making', date: '2026-12-03', branch: 'Central', seats: 8},
  {title: 'Reading evening', date: '2026-12-05', branch: 'Central', seats: 40},
]

const BOOKS: Readonly<Record<string, {title: string; author: string}>> = {
  b1: {title: 'The Ashley Book of Knots', author: 'Clifford Ashley'},
  b2: {title: 'Moby-Dick', author: 'Herman Melville'},
}

/** A library's website: a strict policy with Trusted Types, a single-page part, and an API that needs its own session. */
export type Library = {readonly address: string; close(): Promise<void>}

/** @param tag the snippet's tag; `NONCE` in it is replaced */
export async function startLibrary({
  tag,
  serviceOrigin,
}: {
  tag: string
  serviceOrigin: string
}): Promise<Library> {
  const server = createServer((request, response) => {
    const {pathname, searchParams} = new URL(request.url ?? '/', 'http://library.example')
    const [, api, id = ''] = /^\/api\/v2\/(events|books)\/?(\w*)$/.exec(pathname) ?? []
    if (api !== undefined) {
      const isKnown =
        request.headers.cookie?.includes(SECRETS.cookie) === true &&
        request.headers.authorization === `Bearer ${SECRETS.authorization}`
      // Agents call the API as visitors do who did not sign in: they get the same, without a session.
      const session = isKnown ? {session: {token: SECRETS.answer}} : {}
      const words = (searchParams.get('q') ?? '').toLowerCase()
      const book = BOOKS[id]
      const data =
        api === 'events'
          ? {items: EVENTS.filter(({title}) => title.toLowerCase().includes(words))}
          : book && {book: {id, ...book}}
      response.writeHead(data ? 200 : 404, {'content-type': 'application/json'})
      response.end(JSON.stringify({data, ...session}))
      return
    }
    if (pathname === '/api/v2/loans') {
      const isKnown = request.headers[APP_TOKEN] !== undefined
      response.writeHead(isKnown ? 200 : 401, {'content-type': 'application/json'})
      response.end(
        JSON.stringify(isKnown ? {loans: [{title: 'Moby-Dick'}]} : {message: 'Missing X-App-Token'}),
      )
      return
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': `sid=${SECRETS.cookie}; HttpOnly; SameSite=Lax; Path=/`,
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'nonce-n1'",
        `connect-src 'self' ${serviceOrigin}`,
        "img-src data:; require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    })
    const words = searchParams.get('q')
    response.end(page(pathname, tag.replace('NONCE', 'n1'), words))
  })
  const port = await listen(server)
  return {
    address: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function page(path: string, tag: string, words: string | null): string {
  const content =
    words !== null && path === '/catalogue'
      ? catalogue(words)
      : path === '/opening-hours'
        ? HOURS
        : path.startsWith('/books/')
          ? BOOK
          : SEARCH
  return `<!doctype html><html lang="en"><head><title>Town Library</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><meta name="csrf-token" content="${SECRETS.token}">${tag}</head><body>
<header><nav><a href="/events">Events</a> <a href="/opening-hours">Opening hours</a></nav></header>
${content}</body></html>`
}

/** A search whose results are a page. */
function catalogue(words: string): string {
  const titles = ['Rope work', 'Knots and ropes', 'Sails'].filter((title) =>
    title.toLowerCase().includes(words),
  )
  const cards = titles.map(
    (title, at) =>
      `<article class="book"><h2><a href="/books/b${at}">${title}</a></h2><p class="shelf">Shelf ${at + 4}</p></article>`,
  )
  return `<h1>Catalogue</h1><form action="/catalogue"><label>Words <input name="q" value="${words.replace(/\W/g, '')}"></label>
<button>Find</button></form><div class="results">${cards.join('')}</div>
<form action="/wishes" method="post"><label>Title <input name="title"></label> <button>Suggest a book</button></form>`
}

/** Without `main`, as many sites are. */
const HOURS = `<div class="content"><h1>Opening hours</h1>
<table class="hours"><tr><th>Day</th><th>From</th><th>To</th></tr>
<tr><td>Monday</td><td>9:00</td><td>17:00</td></tr><tr><td>Saturday</td><td>10:00</td><td>14:00</td></tr></table>
<p>Closed on 24 December.</p></div>`

const ASK = `const authorization = 'Bearer ${SECRETS.authorization}'`

/** Listens, and shows what it finds without loading the page again. */
const SEARCH = `<main><h1>Events</h1>
<form role="search"><label>Search events <input name="words"></label>
<label>Card PIN <input type="password" name="pin"></label><button>Search</button></form>
<ul id="found"></ul></main>
<script nonce="n1">
  ${ASK}
  // As libraries keep it, before anything else can replace it.
  const earlyFetch = fetch
  document.forms[0].addEventListener('submit', async (event) => {
    event.preventDefault()
    const words = event.target.words.value
    history.pushState({}, '', '/events?q=' + encodeURIComponent(words))
    const response = await fetch('/api/v2/events?' + new URLSearchParams({q: words, page: 1}), {headers: {
      authorization, 'x-csrf-token': document.querySelector('meta[name=csrf-token]').content,
    }})
    const {data} = await response.json()
    document.querySelector('#found').replaceChildren(...data.items.map(({title, date}) => {
      const item = document.createElement('li')
      item.textContent = title + ', ' + date
      return item
    }))
  })
</script>`

/** It asks before the panel has loaded. */
const BOOK = `<main><h1>Book</h1><dl><dt>Title</dt><dd id="title"></dd><dt>Author</dt><dd id="author"></dd></dl></main>
<script nonce="n1">
  ${ASK}
  const request = new XMLHttpRequest()
  request.open('GET', '/api/v2' + location.pathname)
  request.setRequestHeader('authorization', authorization)
  request.onload = () => {
    const {book} = JSON.parse(request.responseText).data
    title.textContent = book.title
    author.textContent = book.author
  }
  request.send()
</script>`
