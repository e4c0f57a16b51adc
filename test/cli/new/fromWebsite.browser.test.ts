import {deepEqual, equal, match} from 'node:assert/strict'
import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, SITE, text} from '../../support/brokenRepositories/documents.ts'
import {freePort} from '../../support/network/ports.ts'
import {startCinema} from '../../support/websites/cinema.ts'
import {startJobBoard} from '../../support/websites/jobBoard.ts'
import {startRecipes} from '../../support/websites/recipes.ts'
import {serve} from '../../support/websites/serve.ts'
import {content} from '../support/run.ts'

const BOOKS = ['Knots and Splices', 'Knots for Children', 'Sails'].map((title, at) => ({
  title,
  shelf: `Row ${at + 7}`,
}))

function booksFor(words: string): string {
  const found = BOOKS.filter(({title}) => title.toLowerCase().includes(words.toLowerCase()))
  const cards = found.map(
    ({title, shelf}) => `<li class="book"><h3>${title}</h3><p class="shelf">${shelf}</p></li>`,
  )
  return `<h1>Catalogue</h1><form action="/books" role="search"><label>Words <input type="search" name="words" value="${words}"></label><button>Find</button></form><ul>${cards.join('')}</ul>`
}

const SHARED_WORKER = `fetch('/seen', {method: 'POST'}); new WebSocket('/staff')`

/** Links that change something or are not to be followed, and five that are followed. */
const LINKS =
  '<a href="/logout">a</a> <a href="/boats/delete?id=7">b</a> <a href="/boats?do=removeBoat">c</a> <a href="/add-to-cart/7">d</a> <a href="/unseen" rel="noopener nofollow">e</a> <a href="/stock/ropes">f</a> <a href="/stock/sails">g</a> <a href="/stock/knots">h</a> <a href="/pay">i</a> <a href="/#/tea">j</a>'

const SECRET_SEARCH =
  '<form method="post" action="/search"><input type="hidden" name="token" value="secret"><input type="search" name="q" aria-label="Words"><button>Search</button></form>'

function rowsOf(stock: string): string {
  const rows = [1, 2, 3].map((size) => `<tr><td>${stock} ${size}</td><td>${size} m</td></tr>`)
  return `<tr><th>Name</th><th>Size</th></tr>${rows.join('')}`
}

/** Pages that the browser would load by itself. */
const RULES = JSON.stringify({prefetch: [{urls: ['/staff/next'], eagerness: 'immediate'}]})

/** What a page sends while it is open, while it closes, and from workers. */
const SENDING = `<script type="speculationrules">${RULES}</script><script>
fetch('/seen', {method: 'POST'}).catch(() => {})
navigator.sendBeacon('/seen', 'a')
addEventListener('pagehide', () => {
  navigator.sendBeacon('/seen', 'a')
  fetch('/seen', {method: 'POST', keepalive: true}).catch(() => {})
})
new SharedWorker('/shared.js').port.postMessage('')
new Worker(URL.createObjectURL(new Blob(["new WebSocket('ws://" + location.host + "/staff')"]))).terminate
Object.defineProperty(window, 'handrailWebsite', {value: {find: () => ({tools: [], links: ['/staff']})}})
</script>`

test('what the pages of a website have becomes tools that are switched off, with GET alone and as its robots.txt says', async (t) => {
  const asked: string[] = []
  const website = await serve(
    ({url, method}) => {
      asked.push(`${method} ${url.pathname}`)
      const head = `<!doctype html><html lang="en"><title>Library</title><link rel="icon" href="data:,"><nav><a href="/books">Books</a> <a href="/volumes">Volumes</a> <a href="/hours">Hours</a> <a href="/staff/list">Staff</a> <a href="/%73taff/plan">Plan</a> <a href="/moved">Moved</a> <a href="/tides?day=1">Today</a> <a href="/tides?day=2">Tomorrow</a> <a href="/holidays">Holidays</a> ${LINKS}</nav>`
      if (url.pathname === '/robots.txt') return 'Sitemap: http://\nUser-agent: *\nDisallow: /staff\n'
      if (url.pathname === '/moved') return {lead: '/staff/new'}
      if (/^\/(?:books|volumes)$/.test(url.pathname))
        return head + booksFor(url.searchParams.get('words') ?? '')
      if (url.pathname === '/hours')
        return `${head}<h1>Opening hours</h1><table><tr><th>Day</th><th>Open</th></tr><tr><td>Monday</td><td>9 to 18</td></tr><tr><td>Tuesday</td><td>9 to 18</td></tr></table>
<form method="post" action="/ask"><label>Your question <textarea name="question"></textarea></label><button>Ask</button></form>${SECRET_SEARCH}`
      if (url.pathname === '/holidays')
        return `${head}<h1>Opening hours</h1><table><tr><th>Date</th><th>Open</th></tr><tr><td>1 May</td><td>no</td></tr></table>`
      if (url.pathname === '/tides')
        return `${head}<h1>Tides</h1><table><tr><th>Tide</th><th>Time</th></tr><tr><td>High</td><td>${url.searchParams.get('day')}:40</td></tr><tr><td>Low</td><td>9:10</td></tr></table>`
      const [, stock] = /^\/stock\/(\w+)$/.exec(url.pathname) ?? []
      if (stock) return `${head}<h1>All ${stock}</h1><table class="stock">${rowsOf(stock)}</table>`
      if (url.pathname === '/shared.js') return SHARED_WORKER
      return url.pathname === '/' ? `${head}<h1>Welcome</h1>${SENDING}` : {json: {}, status: 404}
    },
    {'speculation-rules': '"/rules"'},
  )
  t.after(() => website.close())
  const {directory, commit} = await temporaryWorkTree(t)
  await commit({...GOOD_FILES, 'site/cafe.json': text({...SITE, addresses: [website.address]})})
  // As people type it.
  const made = await content(['new', '--from', new URL(website.address).host], directory)
  equal(made.code, 0, made.out + made.error)
  match(made.out, /^\/hours: 3 found\.$/m)
  match(made.out, /^\/moved: .* robots\.txt does not allow\.$/m)
  match(made.out, /^\/pay: 0 found\./m, 'a verb alone names a page')
  match(made.out, /^\/#\/tea: 0 found\./m, 'some routers have the path after “#”')
  match(made.out, /^\d tools written, and switched off/m)
  const files = await readdir(join(directory, 'tool'))
  const tools = await Promise.all(
    files
      .filter((name) => /^\w[\w-]*\.json$/.test(name) && name !== 'menu.json')
      .map(async (name) => JSON.parse(await readFile(join(directory, 'tool', name), 'utf8'))),
  )
  deepEqual(new Set(tools.map(({enabled}) => enabled)), new Set([false]))
  const patterns = tools.map(({pathPattern}) => pathPattern).sort()
  deepEqual(patterns, ['/**', '/**', '/holidays', '/hours', '/stock/*', '/{books,volumes}'], made.out)
  match(made.out, /tool\/\S+ on \/hours: called once, works/)
  match(made.out, /tool\/get-rows-of-stock\.json on \/stock\/\*/, 'what many pages have is named after none')
  match(made.out, /tool\/get-opening-hours-of-holidays\.json on \/holidays/, 'names tell tools apart')
  match(made.out, /tool\/get-tides\.json on /, 'pages that differ in their query have one tool')
  match(made.out, /formTool\/\S+ on \/hours: not called, it may change something/)
  deepEqual(
    asked.filter(
      (one) => !one.startsWith('GET ') || /taff|secret|rules|logout|delete|remove|add-|unseen/.test(one),
    ),
    [],
  )
  equal((await content(['check'], directory)).code, 0)
  const again = await content(['new', '--from', website.address], directory)
  match(again.out, /left out: tool\/get-tides\.json is there already\.\n(?:.*\n)*\nNothing is written\.\n$/m)
  equal(again.code, 2)
})

/** Of what an editor makes by clicks (tenTools.browser.test.ts), all but what POST, sign-in or a recorded request gives. */
const BY_HAND = [
  [startJobBoard, 'get-jobs search-jobs find-jobs get-what-people-earn get-help get-job send-application'],
  [startRecipes, 'get-recipes search-recipes find-recipes get-this-week get-recipe get-comments add-comment'],
  [startCinema, 'get-films show-films get-times get-prices get-contact send-question get-film'],
] as const

for (const [start, names] of BY_HAND)
  test(`${start.name}: most of what an editor makes by clicks is found`, async (t) => {
    const website = await start('<script src="http://127.0.0.1:9/snippet.js" data-site="a"></script>')
    t.after(() => website.close())
    const {directory, commit} = await temporaryWorkTree(t)
    await commit({...GOOD_FILES, 'site/cafe.json': text({...SITE, addresses: [website.address]})})
    const {out} = await content(['new', '--from', website.address], directory)
    const missing = names.split(' ').filter((name) => !out.includes(`ool/${name}.json on `))
    deepEqual(missing, [], out)
  })

test('a website that does not respond is named, with the reason', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  const {code, error} = await content(['new', '--from', `127.0.0.1:${await freePort()}`], directory)
  equal(code, 2)
  match(error, /http:\/\/127\.0\.0\.1:\d+ does not respond: connect ECONNREFUSED/)
})
