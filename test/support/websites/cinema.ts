import {serve} from './serve.ts'

const FILMS = Array.from({length: 9}, (_, at) => ({
  id: `f${at + 1}`,
  title: `${['The Lantern', 'Low Tide', 'Night Ferry'][at % 3]} ${Math.floor(at / 3) + 1}`,
  genre: ['Drama', 'Comedy', 'Thriller'][at % 3] ?? '',
  minutes: 80 + at * 5,
}))
const SHOWN = 4

/** A cinema as a single-page app: its router reads the fragment, and its classes are others in each build. */
export function startCinema(tag: string) {
  let builds = 0
  let bookings = 0
  return serve(({url: {pathname, searchParams}, method, body}) => {
    const filmOf = (id: unknown) => FILMS.find((film) => film.id === id)
    if (method === 'POST') {
      const {filmId, seats} = JSON.parse(body)
      bookings += 1
      return {json: {booking: {number: `B-${bookings}`, film: filmOf(filmId)?.title, seats}}}
    }
    if (pathname === '/api/films') {
      const {words = '', genre = '', after} = Object.fromEntries(searchParams)
      const found = FILMS.filter(
        (film) => film.title.toLowerCase().includes(words) && film.genre.includes(genre),
      )
      const end = Number(after) + SHOWN
      return {json: {films: found.slice(Number(after), end), more: found.length > end}}
    }
    if (pathname.startsWith('/api/films/')) return {json: filmOf(pathname.split('/').at(-1)) ?? {}}
    builds += 1
    return page(
      tag.replace('<script', '<script data-hash-router'),
      `${(builds * 48_271).toString(36)}Q4x9`.slice(0, 5),
    )
  })
}

/** @param hash what generators of class names add, such as those of CSS modules */
function page(tag: string, hash: string): string {
  return `<!doctype html><html lang="en"><head><title>Lantern Cinema</title><link rel="icon" href="data:,">${tag}</head>
<body><div id="root"></div><script>
const root = document.querySelector('#root')
const box = (name, html, tag = 'div', more = '') => '<' + tag + ' class="' + name + '__${hash}" ' + more + '>' + html + '</' + tag + '>'
const state = {words: '', genre: '', list: [], more: false}
async function load(after) {
  const {films, more} = await (await fetch('/api/films?' + new URLSearchParams({words: state.words, genre: state.genre, after}))).json()
  Object.assign(state, {list: after ? [...state.list, ...films] : films, more})
}
const card = ({id, title, genre, minutes}) => box('Card_box', '<a href="#/films/' + id + '">' + box('Card_title', title) + '</a>' +
  box('Card_genre', genre) + box('Card_length', minutes + ' min') + '<button>♥</button>')
const row = (role, cells) => box('Row', cells.map((cell) => box('Cell', cell, 'div', 'role=' + role)).join(''), 'div', 'role=row')
const pages = {
  async films() {
    if (!state.list.length) await load(0)
    const options = ['', 'Drama', 'Comedy', 'Thriller'].map((one) => '<option' + (one === state.genre ? ' selected' : '') + '>' + one + '</option>')
    draw('Films', '<form><label>Title <input name="words" value="' + state.words + '"></label><label>Genre <select name="genre">' + options.join('') + '</select></label>' +
      '<button>Show</button></form>' + box('Grid_root', state.list.map(card).join('')) + (state.more ? '<button id="more">Load more films</button>' : ''))
    onSubmit(async (form) => { Object.assign(state, Object.fromEntries(new FormData(form))); await load(0); show() })
    if (state.more) more.onclick = async () => { await load(state.list.length); show() }
  },
  async film(id) {
    const {title, minutes, genre} = await (await fetch('/api/films/' + id)).json()
    draw(title, box('Facts_list', '<dt>Length</dt><dd>' + minutes + ' minutes</dd><dt>Genre</dt><dd>' + genre + '</dd>', 'dl') +
      '<label>Seats <select name="seats" id="seats"><option>1</option><option>2</option><option>3</option></select></label><button id="book">Book seats</button><output></output>')
    const headers = {'content-type': 'application/json'}
    book.onclick = () => fetch('/api/bookings', {method: 'POST', headers, body: JSON.stringify({filmId: id, seats: seats.value})})
  },
  times() {
    draw('Times', box('Times_table', row('columnheader', ['Film', 'Hall']) + row('cell', ['Low Tide', 'Hall 1']) + row('cell', ['Night Ferry', 'Hall 2']), 'div', 'role=table') +
      '<h2>Prices</h2><ul><li><b>Adults:</b> €12</li><li><b>Children:</b> €7</li></ul>')
  },
  contact() {
    draw('Contact', '<form><div>Your question</div><textarea name="question"></textarea><button>Send question</button></form><output></output>' +
      '<table><tr><td>Address:</td><td>Quay 3</td></tr><tr><td>Telephone:</td><td>0431 12</td></tr></table>')
    onSubmit(() => { root.querySelector('output').textContent = 'Thank you' })
  },
}
const onSubmit = (does) => { root.querySelector('form').onsubmit = (event) => { event.preventDefault(); does(event.target) } }
function draw(heading, html) {
  root.innerHTML = '<nav><a href="#/films">Films</a> <a href="#/times">Times</a> <a href="#/contact">Contact</a></nav><h1>' + heading + '</h1>' + html
}
function show() {
  const [, name = 'films', id] = location.hash.split('/')
  ;(pages[id ? 'film' : name] ?? pages.films)(id)
}
addEventListener('hashchange', show)
show()
</script></body></html>`
}
