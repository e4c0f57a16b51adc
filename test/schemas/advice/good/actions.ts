import type {Tool} from './tools.ts'

const text = (description: string, more: object = {}) => ({type: 'string', description, ...more})
const whole = (description: string, more: object = {}) => ({type: 'integer', description, ...more})
const yesNo = (description: string) => ({type: 'boolean', description})
const choice = (description: string, ...choices: string[]) => ({type: 'string', enum: choices, description})

/** Tools that change something on the page or on the server. */
export const ACTING: readonly Tool[] = [
  [
    'addToBasket',
    'Puts an article into the basket of the visitor, who can still change it. Returns the basket.',
    '/shop/**',
    {
      articleId: text('The ID of an article, as searchArticles returns it'),
      quantity: whole('How many pieces', {minimum: 1, maximum: 99}),
    },
    `const response = await fetch('/api/basket', {
  method: 'POST',
  headers: {'Content-Type': 'application/json'},
  body: JSON.stringify({articleId: args.articleId, quantity: args.quantity ?? 1}),
  signal,
})
const basket = await response.json()
if (!response.ok) throw new Error(basket.message ?? 'The basket was not changed. Try again later.')
document.dispatchEvent(new CustomEvent('basket:changed', {detail: basket}))
return basket`,
  ],
  [
    'removeFromBasket',
    'Takes an article out of the basket. Returns what is left, with the new total in euros.',
    '/shop/**',
    {articleId: text('The ID of an article in the basket')},
    `const response = await fetch(\`/api/basket/\${encodeURIComponent(args.articleId)}\`, {method: 'DELETE', signal})
if (response.status === 404) throw new Error('This article is not in the basket.')
return response.json()`,
  ],
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
    'showSection',
    'Scrolls the page to one of its sections and marks it for the visitor.',
    '/guide/**',
    {title: text('The heading of the section, as getPageSummary returns it')},
    `const heading = [...document.querySelectorAll('h2, h3')].find(
  (one) => one.textContent.trim().toLowerCase() === args.title.toLowerCase(),
)
if (heading === undefined) throw new Error('The page has no section of this title.')
heading.scrollIntoView({behavior: 'smooth'})
heading.classList.add('marked')
return 'The visitor sees the section now.'`,
  ],
  [
    'bookTable',
    'Books a table for the visitor on a day and at a time. Costs nothing, and can be cancelled by phone.',
    '/restaurant',
    {
      date: text('A day such as 2026-03-31'),
      time: text('A time such as 19:30'),
      people: whole('How many people', {minimum: 1, maximum: 12}),
      name: text('The name for the reservation'),
    },
    `const {date, time, people, name} = args
const response = await fetch('/api/reservations', {
  method: 'post',
  signal,
  headers: {'content-type': 'application/json'},
  body: JSON.stringify({date, time, people, name}),
})
if (response.status === 409) {
  const {alternatives} = await response.json()
  throw new Error(\`There is no table at \${time}. Free times: \${alternatives.join(', ')}.\`)
}
if (!response.ok) throw new Error('The reservation failed. Nothing was booked.')
const {number} = await response.json()
return {number, text: 'The table is booked.'}`,
  ],
  [
    'switchTheme',
    'Switches the colours of the website between light and dark. The visitor sees the change at once.',
    '/**',
    {theme: choice('The colours to use', 'light', 'dark', 'auto')},
    `if (args.theme === 'auto') localStorage.removeItem('theme')
else localStorage.setItem('theme', args.theme)
document.documentElement.dataset.theme = args.theme
return 'The theme is ' + args.theme + ' now.'`,
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
    'playVideo',
    'Plays the video on this page from a given second. The visitor hears the sound.',
    '/videos/*',
    {second: whole('Where to start, in seconds', {minimum: 0})},
    `const video = document.querySelector('video')
if (video === null) throw new Error('There is no video on this page.')
video.currentTime = args.second ?? 0
await video.play()
return {playing: true, length: video.duration}`,
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
    'saveNote',
    'Saves a private note of the visitor on this device. Returns all notes of this page.',
    '/guide/**',
    {note: text('The text of the note', {maxLength: 500})},
    `const key = 'notes:' + location.pathname
const notes = JSON.parse(localStorage.getItem(key) ?? '[]')
notes.push({id: crypto.randomUUID(), text: args.note, at: new Date().toISOString()})
localStorage.setItem(key, JSON.stringify(notes))
return notes`,
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
    'setQuantity',
    'Changes how many pieces of an article are in the basket. Zero takes it out.',
    '/basket',
    {
      articleId: text('The ID of an article in the basket'),
      quantity: whole('The new number of pieces', {minimum: 0, maximum: 99}),
    },
    `const send = async (method, body) => {
  const response = await fetch('/api/basket/' + args.articleId, {method, body, signal})
  if (!response.ok) throw new Error('The basket was not changed.')
  return response.json()
}
if (args.quantity === 0) return send('DELETE')
return send('PUT', JSON.stringify({quantity: args.quantity}))`,
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
