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
]
