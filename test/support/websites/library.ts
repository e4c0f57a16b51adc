import {type Asked, serve} from './serve.ts'

const BOOKS = ['Knots and Splices', 'Ölzeug', 'Knots for Children'].map((title, at) => ({
  title,
  address: `books/b${at + 1}`,
  shelf: `Row ${at + 7}`,
}))
const EVENTS = ['Story time', 'Chess', 'Story night'].map((title, at) => ({title, day: `${at + 3} May`}))
const STAFF = ['Ada Rope', 'Bo Sail', 'Cy Anchor'].map((name, at) => ({name, phone: `10${at}`}))
const STATE = 'dDwtMTg3O3Q8O2w8aTwxPjs+O2w8dDw7bDxpPDE+'
const found = <Entry extends {title?: string; name?: string}>(list: readonly Entry[], words: string) =>
  list.filter(({title = '', name = ''}) => (title + name).toLowerCase().includes(words.toLowerCase()))

/** A library whose searches are sent with POST: a form of PHP, one of ASP.NET Web Forms, and one that a script sends as htmx does. */
export function startLibrary(tag: string) {
  return serve(
    ({url: {pathname}, method, headers, body}: Asked) => {
      const sent = new URLSearchParams(body)
      const head = `<!doctype html><html lang="en"><head><title>Library</title><base href="/opac/"><link rel="icon" href="data:,">${tag}</head><body><nav><a href="/books.php">Books</a> <a href="/events">Events</a> <a href="/Staff.aspx">Staff</a></nav>`
      if (pathname === '/events/search' && headers['hx-request']) return eventsOf(sent.get('words') ?? '')
      if (pathname === '/events') return head + eventsPage
      if (pathname === '/Staff.aspx')
        return method === 'POST' && sent.get('__VIEWSTATE') !== STATE
          ? {json: {}, status: 500}
          : head + staffPage(sent.get('ctl00$Main$txtSearch') ?? undefined)
      return head + booksPage(method === 'POST' ? (sent.get('title') ?? '') : undefined)
    },
    {'content-type': 'text/html; charset=iso-8859-1'},
  )
}

function booksPage(words: string | undefined): string {
  const cards = found(BOOKS, words ?? '').map(
    ({title, address, shelf}) =>
      `<div class="book"><h3><a href="${address}">${title}</a></h3><span class="shelf">${shelf}</span></div>`,
  )
  return `<h1>Books</h1><form method="post" action="/books.php"><label>Title <input name="title" value="${words ?? ''}"></label><input type="hidden" name="lang" value="en"><button name="go" value="Find">Show</button></form>${words === undefined ? '' : `<div class="books">${cards.join('')}</div>`}`
}

function staffPage(words: string | undefined): string {
  const rows = found(STAFF, words ?? '').map(({name, phone}) => `<tr><td>${name}</td><td>${phone}</td></tr>`)
  return `<form method="post" action="/Staff.aspx" id="form1"><input type="hidden" name="__VIEWSTATE" id="__VIEWSTATE" value="${words === undefined ? STATE : `${STATE}AfterSearch`}">
<h1>Staff</h1><input name="ctl00$Main$txtSearch" type="text" value="${words ?? ''}"><input type="submit" name="ctl00$Main$btnSearch" value="Look up">
${words === undefined ? '' : `<table cellspacing="0" rules="all" border="1" id="Main_grid"><tr><th scope="col">Name</th><th scope="col">Phone</th></tr>${rows.join('')}</table>`}</form>`
}

function eventsOf(words: string): string {
  return found(EVENTS, words)
    .map(({title, day}) => `<li class="event"><b>${title}</b> <span class="day">${day}</span></li>`)
    .join('')
}

const eventsPage = `<h1>Events</h1><form hx-post="/events/search" hx-target="#hits"><input name="words" placeholder="Words"><button>Show</button></form><ul id="hits"></ul>
<script>document.forms[0].onsubmit = async (event) => {
  event.preventDefault()
  const body = new URLSearchParams(new FormData(event.target))
  const response = await fetch('/events/search', {method: 'POST', headers: {'HX-Request': 'true'}, body})
  hits.innerHTML = await response.text()
}</script>`
