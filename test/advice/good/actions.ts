import type {Tool} from './tools.ts'

const text = (description: string, more: object = {}) => ({type: 'string', description, ...more})
const whole = (description: string, more: object = {}) => ({type: 'integer', description, ...more})
const yesNo = (description: string) => ({type: 'boolean', description})
const choice = (description: string, ...choices: string[]) => ({type: 'string', enum: choices, description})

/** Tools that change something on the page or on the server. */
export const ACTING: readonly Tool[] = [
  [
    'openStorePage',
    'Opens the page of a store in this tab, so that the visitor can see the map and the photos.',
    '/**',
    {city: text('The city of the store, such as "Kiel"')},
    `const url = new URL('/stores/' + encodeURIComponent(args.city), location.origin)
setTimeout(() => location.assign(url), 100)
return {opening: url.href}`,
  ],
  [
    'subscribeToStock',
    'Sends the visitor an email once when an article is in stock again.',
    '/shop/*',
    {email: text('The email address of the visitor', {pattern: '^[^@ ]+@[^@ ]+$'})},
    `const form = new FormData()
form.set('email', args.email)
form.set('article', document.querySelector('[data-article]').dataset.article)
const response = await fetch('/stock-alerts', {method: 'POST', body: form, signal})
if (!response.ok) throw new Error(await response.text())
return 'Done. A confirmation is on its way.'`,
  ],
  [
    'sortProducts',
    'Sorts the products on this page for the visitor and returns their names in the new order.',
    '/shop',
    {by: choice('What to sort by', 'price', 'name', 'rating'), descending: yesNo('Largest first')},
    `const list = document.querySelector('.products')
const items = Array.from(list.children)
const sign = args.descending ? -1 : 1
items.sort((a, b) => sign * a.dataset[args.by].localeCompare(b.dataset[args.by], undefined, {numeric: true}))
list.replaceChildren(...items)
return items.map((item) => item.dataset.name)`,
  ],
  [
    'waitForResult',
    'Waits until the calculation on this page has finished, and returns the result. Takes up to a minute.',
    '/calculator',
    {},
    `for (let second = 0; second < 60; second++) {
  const output = document.querySelector('output.result')
  if (output?.value) return {result: output.value}
  if (signal.aborted) throw new Error('Cancelled.')
  await new Promise((resolve) => setTimeout(resolve, 1000))
}
throw new Error('The calculation takes longer than a minute. Call this again later.')`,
  ],
  [
    'fillContactForm',
    'Fills in the contact form with a message of the visitor, who then checks and sends it.',
    '/contact',
    {message: text('The message to the team'), topic: choice('What it is about', 'order', 'return', 'other')},
    `const form = document.forms.contact
if (!form) throw new Error('The form is not on this page.')
form.elements.message.value = args.message
form.elements.topic.value = args.topic ?? 'other'
form.elements.message.focus()
return 'The form is filled in. The visitor must press “Send”.'`,
  ],
  [
    'callShopFunction',
    'Starts the guided tour of the shop in the language of the visitor.',
    '/shop/**',
    {language: choice('The language of the tour', 'de', 'en')},
    `if (typeof shopTour === 'undefined') throw new Error('The tour is still loading. Try again in a second.')
await shopTour.start({language: args.language ?? document.documentElement.lang})
return 'The tour has started.'`,
  ],
  [
    'exportCalendar',
    'Makes a calendar file of an event and offers it to the visitor as a download.',
    '/events/*',
    {reminder: whole('Minutes before the event for a reminder', {minimum: 0})},
    `const {toCalendar} = await import(new URL('/scripts/calendar.js', document.baseURI))
const event = JSON.parse(document.querySelector('script[type="application/json"]').textContent)
const file = new Blob([toCalendar(event, args.reminder ?? 30)], {type: 'text/calendar'})
const link = Object.assign(document.createElement('a'), {href: URL.createObjectURL(file), download: 'event.ics'})
link.click()
URL.revokeObjectURL(link.href)
return 'The file was offered as a download.'`,
  ],
  [
    'reportProblem',
    'Reports a problem with this page to the team, with the text of the visitor and the address of the page.',
    '/**',
    {problem: text('What is wrong, in the words of the visitor')},
    `const sent = navigator.sendBeacon('/problems', JSON.stringify({...args, page: location.href}))
if (!sent) throw new Error('The report could not be sent.')
return {thanks: true}`,
  ],
  [
    'chooseVariant',
    'Chooses size and colour on the page of a product and returns the price and the stock of that variant.',
    '/shop/*',
    {size: choice('The size', 'S', 'M', 'L'), colour: text('A colour that the page offers, such as "navy"')},
    `const {size, colour, ...others} = args
if (Object.keys(others).length > 0) throw new Error('Only size and colour can be chosen.')
const select = document.querySelector('select[name=size]')
select.value = size
select.dispatchEvent(new Event('change', {bubbles: true}))
document.querySelector(\`input[name=colour][value="\${CSS.escape(colour)}"]\`)?.click()
await new Promise(requestAnimationFrame)
return document.querySelector('.price').textContent + ', ' + document.querySelector('.stock').textContent`,
  ],
  [
    'translatePage',
    'Translates the main text of this page into another language and shows it to the visitor.',
    '/{blog,guide}/**',
    {language: text('The code of a language, such as "fr"')},
    `const main = document.querySelector('main')
const paragraphs = main.querySelectorAll('p')
let count = 0
for (const paragraph of paragraphs) {
  if (signal.aborted) break
  const response = await fetch('/api/translate', {method: 'POST', body: JSON.stringify({text: paragraph.textContent, to: args.language}), signal})
  if (!response.ok) continue
  const {translation} = await response.json()
  paragraph.textContent = translation
  count += 1
}
return \`\${count} of \${paragraphs.length} paragraphs are translated.\``,
  ],
]
