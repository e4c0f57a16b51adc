/** A well-made tool: its name, description, path pattern, parameters and script. */
export type Tool = readonly [
  name: string,
  description: string,
  pathPattern: string,
  properties: Record<string, object>,
  script: string,
]

const text = (description: string, more: object = {}) => ({type: 'string', description, ...more})
const whole = (description: string, more: object = {}) => ({type: 'integer', description, ...more})
const number = (description: string, more: object = {}) => ({type: 'number', description, ...more})
const choice = (description: string, ...choices: string[]) => ({type: 'string', enum: choices, description})
const texts = (description: string) => ({type: 'array', items: {type: 'string'}, description})

/** Tools that read from the page or from an API. */
export const READING: readonly Tool[] = [
  [
    'searchRecipes',
    'Searches the recipes by words and returns up to ten with their ID, title and time in minutes.',
    '/recipes/**',
    {query: text('Words of the title or the ingredients, such as "lentil soup"')},
    `const response = await fetch(\`/api/recipes?q=\${encodeURIComponent(args.query)}\`, {signal})
if (!response.ok) throw new Error('The search failed. Try again later.')
const {recipes} = await response.json()
return recipes.slice(0, 10).map(({id, title, minutes}) => ({id, title, minutes}))`,
  ],
  [
    'getPageSummary',
    'Returns the title, the headings and the description of the page that the visitor is looking at.',
    '/**',
    {},
    `const description = document.querySelector('meta[name=description]')?.content ?? ''
const headings = Array.from(document.querySelectorAll('h1, h2'), (heading) => heading.innerText)
return {title: document.title, description, headings}`,
  ],
  [
    'listTrains',
    'Lists the next trains between two stations with departure, arrival and price in euros.',
    '/{,timetable}',
    {
      from: text('Where to start, such as "Kiel Hbf"'),
      to: text('Where to arrive'),
      at: text('Date and time, such as "2026-03-31T08:00"'),
    },
    `const url = new URL('/api/trains', location.origin)
url.searchParams.set('from', args.from)
url.searchParams.set('to', args.to)
if (args.at) url.searchParams.set('at', args.at)
const response = await fetch(url, {signal})
switch (response.status) {
  case 200:
    return (await response.json()).connections
  case 404:
    throw new Error('There is no such station. Check the spelling of both.')
  default:
    throw new Error('The timetable is not available. Try again later.')
}`,
  ],
  [
    'checkAvailability',
    'Tells whether a room is free on some dates, and what a night costs in euros.',
    '/rooms/**',
    {
      arrival: text('First night, such as 2026-03-31', {pattern: '^\\d{4}-\\d{2}-\\d{2}$'}),
      nights: whole('Number of nights', {minimum: 1, maximum: 28, default: 1}),
    },
    `const {arrival, nights = 1} = args
if (nights < 1) throw new Error('A stay has one night or more.')
const room = location.pathname.split('/').at(-1)
const response = await fetch(\`/api/rooms/\${room}/free?\${new URLSearchParams({arrival, nights: String(nights)})}\`, {signal})
const body = await response.json()
if (!response.ok) throw new Error(body.message ?? 'The calendar could not be read.')
return {free: body.free, pricePerNight: body.cents / 100}`,
  ],
  [
    'compareProducts',
    'Compares two to four products: price, weight and rating of each, side by side.',
    '/products/**',
    {productIds: texts('IDs of the products, as searchProducts returns them')},
    `const products = await Promise.all(
  args.productIds.map(async (id) => {
    const response = await fetch('/api/products/' + encodeURIComponent(id), {signal})
    if (!response.ok) throw new Error('There is no product ' + id)
    return response.json()
  }),
)
return products.map(({name, price, weight, rating}) => ({name, price, weight, rating}))`,
  ],
  [
    'estimateShipping',
    'Estimates the shipping costs and days for a parcel to a country in Europe.',
    '/{cart,checkout}/**',
    {
      country: choice('Where the parcel goes', 'DE', 'AT', 'CH', 'FR'),
      weight: number('Weight in kilograms', {minimum: 0.1, maximum: 31.5}),
    },
    `const base = {DE: 4.9, AT: 9.9, CH: 14.9, FR: 12.9}[args.country]
if (base === undefined) throw new Error('We do not ship to ' + args.country + '.')
const price = Math.round((base + Math.max(0, args.weight - 5) * 0.8) * 100) / 100
return {price, currency: 'EUR', days: args.country === 'DE' ? 2 : 5}`,
  ],
  [
    'getWeather',
    'Returns the forecast for the beach: temperature, wind and water temperature for three days.',
    '/beach',
    {},
    `const options = {signal, headers: {accept: 'application/json'}}
const response = await fetch('https://api.weather.example/v1/forecast?place=beach', options)
if (response.ok === false) throw new Error(\`The forecast failed with status \${response.status}.\`)
const data = await response.json()
return data.days.slice(0, 3)`,
  ],
  [
    'listEvents',
    'Lists concerts, talks and markets of a month with date, place and price.',
    '/events/**',
    {
      month: text('A month such as 2026-03'),
      kind: choice('Only events of this kind', 'concert', 'talk', 'market'),
    },
    `const all = JSON.parse(document.getElementById('events-data').textContent)
const matches = all.filter((event) => {
  if (args.kind && event.kind !== args.kind) return false
  return event.date.startsWith(args.month)
})
return matches.length === 0 ? 'There are no events in that month.' : matches`,
  ],
  [
    'readTable',
    'Returns the rows of the price list on this page as objects with the column titles as names.',
    '/prices/*',
    {},
    `const table = document.querySelector('main table')
if (!table) throw new Error('This page has no table.')
const [head, ...rows] = [...table.rows]
const titles = [...head.cells].map((cell) => cell.textContent.trim())
const result = []
for (let i = 0; i < rows.length; i++) {
  const cells = [...rows[i].cells]
  result.push(Object.fromEntries(titles.map((title, at) => [title, cells[at]?.textContent.trim() ?? ''])))
}
return result`,
  ],
  [
    'calculateLoan',
    'Calculates the monthly rate of a loan and what it costs in total, in euros.',
    '/loans',
    {
      amount: number('The amount of the loan in euros', {exclusiveMinimum: 0}),
      years: whole('Years to pay it back', {minimum: 1, maximum: 30}),
      interest: number('Interest in percent per year', {examples: [3.5]}),
    },
    `const months = args.years * 12
const rate = (args.interest ?? 3.9) / 1200
const monthly = rate === 0 ? args.amount / months : (args.amount * rate) / (1 - (1 + rate) ** -months)
const format = new Intl.NumberFormat('de-DE', {style: 'currency', currency: 'EUR'})
return {monthly: format.format(monthly), total: format.format(monthly * months)}`,
  ],
  [
    'trackParcel',
    'Follows a parcel by its tracking number and returns every stop with its time.',
    '/tracking',
    {trackingNumber: text('The number on the receipt, such as "JD014600"')},
    `async function ask(attempt) {
  const response = await fetch(\`/api/tracking/\${args.trackingNumber}\`, {signal})
  if (response.status === 503 && attempt < 3) {
    await new Promise((resolve) => setTimeout(resolve, 500 * attempt))
    return ask(attempt + 1)
  }
  if (!response.ok) throw new Error('There is no parcel with this number.')
  return response.json()
}
const {stops} = await ask(1)
return stops`,
  ],
  [
    'readArticle',
    'Returns the text of the article on this page in parts of at most 1,400 characters.',
    '/blog/*',
    {part: whole('Which part to return, counted from 1', {minimum: 1})},
    `const article = document.querySelector('article').innerText
const size = 1400
const parts = []
for (let at = 0; at < article.length; at += size) parts.push(article.slice(at, at + size))
const index = (args.part ?? 1) - 1
if (!(index in parts)) throw new Error(\`The article has \${parts.length} parts.\`)
return {text: parts[index], parts: parts.length}`,
  ],
]
