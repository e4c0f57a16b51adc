import {serve} from './serve.ts'

const RECIPES = Array.from({length: 7}, (_, at) => ({
  slug: `${['fish-soup', 'rye-bread', 'apple-pie'][at % 3]}-${Math.floor(at / 3) + 1}`,
  title: `${['Fish soup', 'Rye bread', 'Apple pie'][at % 3]} ${Math.floor(at / 3) + 1}`,
  minutes: 20 + at * 5,
}))

/** Recipes as pages and parts of pages, which scripts put in place as Turbo does: `body` by links, frames by their forms and links. */
export function startRecipes(tag: string) {
  const comments = ['Needs salt.', 'My children like it.']
  return serve(({url: {pathname, searchParams}, method, headers, body}) => {
    const comment = new URLSearchParams(body).get('comment')
    if (comment !== null) comments.push(comment)
    if (method === 'POST') return {lead: pathname}
    const recipe = RECIPES.find(({slug}) => pathname === `/recipes/${slug}`)
    const words = searchParams.get('query')?.toLowerCase() ?? ''
    const content = recipe ? recipePage(recipe, comments) : (PAGES[pathname] ?? resultsPage(words))
    // A frame gets no layout.
    if (headers['turbo-frame']) return content
    return `<!doctype html><html lang="en"><head><title>Harbour Kitchen</title><link rel="icon" href="data:,">${tag}<script type="module">${TURBO}</script></head>
<body><nav><a href="/">Recipes</a> <a href="/week">This week</a> <a href="/units">Units</a> <a href="/basket">Basket</a></nav><main>${content}</main></body></html>`
  })
}

const PAGES: Readonly<Record<string, string>> = {
  '/week': '<h1>This week</h1><turbo-frame id="plan" src="/plan"></turbo-frame>',
  '/units':
    '<h1>Units</h1><table><tr><td>Cup</td><td>240 ml</td></tr><tr><td>Spoon</td><td>15 ml</td></tr></table>',
  '/basket': `<h1>Basket</h1><ul>${['Onions', 'Rye flour', 'Salt'].map((one) => `<li>${one} <button>Got it</button></li>`).join('')}</ul>`,
  '/plan': `<turbo-frame id="plan"><table><tr><th>Day</th><th>Dish</th></tr><tr><td>Monday</td><td><a href="/recipes/fish-soup-1" data-turbo-frame="_top">Fish soup 1</a></td></tr>
<tr><td>Tuesday</td><td><a href="/recipes/rye-bread-1" data-turbo-frame="_top">Rye bread 1</a></td></tr></table></turbo-frame>`,
}

function resultsPage(words: string): string {
  const found = RECIPES.filter(({title}) => title.toLowerCase().includes(words)).map(
    ({slug, title, minutes}) =>
      `<li id="recipe_${slug}"><a href="/recipes/${slug}" data-turbo-frame="_top">${title}</a> <span class="time">${minutes} min</span></li>`,
  )
  return `<h1>Recipes</h1><form action="/" data-turbo-frame="results"><input type="search" name="query" placeholder="Search recipes"><button>Search</button></form>
<turbo-frame id="results"><ul class="recipes">${found.join('')}</ul></turbo-frame>`
}

function recipePage({slug, title, minutes}: (typeof RECIPES)[number], comments: readonly string[]): string {
  const said = comments.map(
    (text, at) => `<div class="comment"><b>Guest ${at + 1}</b><p>${text.replace(/[^\w .]/g, '')}</p></div>`,
  )
  return `<h1>${title}</h1><table class="facts"><tr><th>Serves</th><td>4</td></tr><tr><th>Time</th><td>${minutes} min</td></tr></table>
<h2>Ingredients</h2><ul class="ingredients"><li>1 onion</li><li>2 l water</li><li>Salt</li></ul><h2>Comments</h2><turbo-frame id="comments">${said.join('')}
<form method="post" action="/recipes/${slug}"><label>Comment <textarea name="comment"></textarea></label><button>Add comment</button></form></turbo-frame>`
}

/** What Turbo does with links, forms and frames (https://turbo.hotwired.dev/handbook/frames), in a few lines. */
const TURBO = `
async function visit(address, frame, options) {
  const headers = {accept: 'text/html', ...(frame && {'turbo-frame': frame.id})}
  const response = await fetch(address, {...options, headers})
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (frame) frame.replaceChildren(...page.getElementById(frame.id).childNodes)
  else document.body.replaceWith(page.body)
  if (!frame) history.pushState({turbo: {}}, '', response.url)
  load()
}
const load = () => document.querySelectorAll('turbo-frame[src]:empty').forEach((lazy) => visit(lazy.getAttribute('src'), lazy))
const frameOf = (element) =>
  document.getElementById(element.closest('[data-turbo-frame]')?.dataset.turboFrame ?? element.closest('turbo-frame')?.id)
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]')
  if (link?.origin !== location.origin || event.defaultPrevented) return
  event.preventDefault()
  visit(link.href, frameOf(link))
})
addEventListener('submit', (event) => {
  if (event.defaultPrevented) return
  event.preventDefault()
  const form = event.target
  const values = new URLSearchParams(new FormData(form))
  if (form.method === 'get') visit(form.action + '?' + values, frameOf(form))
  else visit(form.action, frameOf(form), {method: 'POST', body: values})
})
load()`
