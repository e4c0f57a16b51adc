import {type Asked, serve} from './serve.ts'

const TRADES = ['Crane operator', 'Ship cook', 'Welder', 'Sail maker', 'Diver']
const JOBS = TRADES.flatMap((trade) => ['Bergen', 'Kiel', 'Aarhus'].map((town) => ({trade, town}))).map(
  ({trade, town}, at) => ({id: 401 + at, title: `${trade} in ${town}`, town, pay: `€${2_900 + at * 50}`}),
)
const PAGE_SIZE = 3
const CSRF = 'Zk3-csrf-81c2f0'

/**
 * A job board that a server renders: pages of results, a login, tokens against forged requests, and a policy that allows no
 * script but its own.
 */
export function startJobBoard(tag: string) {
  const saved: string[] = []
  const letters: string[] = []
  const [, service] = /src="(https?:..[^/]+)/.exec(tag) ?? []
  const policy = `default-src 'none'; script-src 'nonce-j0b'; connect-src 'self' ${service}; form-action 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'`
  const page = (content: string) => `<!doctype html><html lang="en"><head><title>Harbour Jobs</title>
<link rel="icon" href="data:,"><meta name="csrf-token" content="${CSRF}">${tag.replace('<script', '<script nonce="j0b"')}</head><body>
<header><nav><a href="/jobs">Jobs</a> <a href="/pay">Pay</a> <a href="/help">Help</a> <a href="/account">Account</a></nav>
<form action="/jobs" role="search"><input name="q" placeholder="Search jobs"><button>Go</button></form></header>
<main>${content}</main><footer><ul><li>Imprint</li><li>Terms</li><li>Press</li></ul></footer></body></html>`
  return serve(
    (asked) => {
      const {url, method, headers, body} = asked
      const isMember = headers.cookie?.includes('member=yes') === true
      const [, first, id = '', action] = url.pathname.split('/')
      const job = JOBS.find((one) => one.id === Number(id))
      if (method === 'POST' && first === 'login')
        return {lead: '/account', cookie: 'member=yes; HttpOnly; Path=/'}
      if (method === 'POST' && !hasToken(asked)) return {json: {message: 'No token'}, status: 403}
      if (method === 'POST' && !isMember) return {json: {message: 'Sign in first'}, status: 401}
      if (job && action === 'saved') return {json: {saved: {title: job.title, count: saved.push(job.title)}}}
      if (action === 'applications') letters.push(new URLSearchParams(body).get('letter') ?? '')
      if (action === 'applications' || (first === 'account' && !isMember))
        return {lead: isMember ? '/account' : '/login'}
      if (job) return page(jobPage(job))
      if (first === 'jobs') return page(resultsPage(url.searchParams))
      return page(first === 'account' ? accountPage(saved, letters) : (PAGES[first ?? ''] ?? ''))
    },
    {'content-security-policy': policy},
  )
}

function hasToken({headers, body}: Asked): boolean {
  return headers['x-csrf-token'] === CSRF || new URLSearchParams(body).get('_token') === CSRF
}

function resultsPage(params: URLSearchParams): string {
  const words = params.get('q')?.toLowerCase() ?? ''
  const page = Number(params.get('page') ?? 1)
  const found = JOBS.filter(({title}) => title.toLowerCase().includes(words))
  const next = new URLSearchParams([...params, ['page', `${page + 1}`]])
  const cards = found
    .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    .map(
      ({id, title, town, pay}) =>
        `<article class="job"><h2><a href="/jobs/${id}">${title}</a></h2><p class="employer">${town} Docks Ltd</p><p class="pay">${pay}</p></article>`,
    )
  const more = found.length > page * PAGE_SIZE ? `<p><a href="/jobs?${next}">Next page</a></p>` : ''
  return `<h1>Jobs</h1><form action="/jobs"><label>Words <input name="q" value="${words.replace(/\W/g, '')}"></label><button>Find jobs</button></form>
<div class="results">${cards.join('')}</div>${more}`
}

function jobPage({id, title, town, pay}: (typeof JOBS)[number]): string {
  return `<h1>${title}</h1><dl><dt>Employer</dt><dd>${town} Docks Ltd</dd><dt>Pay</dt><dd>${pay}</dd></dl>
<button id="save">Save this job</button> <output id="saved"></output>
<section><h2>Apply</h2><form method="post" action="/jobs/${id}/applications"><input type="hidden" name="_token" value="${CSRF}">
<p>Your letter<br><textarea name="letter"></textarea></p><button>Send application</button></form></section>
<script nonce="j0b">save.onclick = async () => {
  const headers = {'x-csrf-token': document.querySelector('meta[name=csrf-token]').content}
  saved.textContent = (await fetch(location.pathname + '/saved', {method: 'POST', headers})).status
}</script>`
}

const PAGES: Readonly<Record<string, string>> = {
  pay: `<h1>What people earn</h1><table><thead><tr><th>Trade</th><th>From</th></tr></thead><tbody>${TRADES.map((trade, at) => `<tr><td><a href="/jobs?q=${trade}">${trade}</a></td><td>€${2_500 + at * 100}</td></tr>`).join('')}</tbody></table>`,
  help: `<h1>Help</h1><details class="question"><summary>How do I apply?</summary><p>On its page.</p></details>
<details class="question"><summary>What does it cost?</summary><p>Nothing.</p></details>`,
  login: `<h1>Sign in</h1><form method="post" action="/login"><label>E-mail <input type="email" name="email"></label>
<label>Password <input type="password" name="password"></label><button>Sign in</button></form>`,
}

function accountPage(saved: readonly string[], letters: readonly string[]): string {
  const rows = saved.map((title, at) => `<tr><td>${at + 1}</td><td>${title}</td></tr>`)
  return `<h1>Your account</h1><h2>Saved jobs</h2><table><tr><th>No.</th><th>Job</th></tr>${rows.join('')}</table>
<p>${letters.map((letter) => letter.replace(/[^\w ]/g, '')).join('<p>')}</p>`
}
