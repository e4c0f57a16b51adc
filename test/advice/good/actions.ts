import type {Tool} from './tools.ts'

const text = (description: string, more: object = {}) => ({type: 'string', description, ...more})
const whole = (description: string, more: object = {}) => ({type: 'integer', description, ...more})
const choice = (description: string, ...choices: string[]) => ({type: 'string', enum: choices, description})

/** Tools that change something on the page or on the server. */
export const ACTING: readonly Tool[] = [
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
]
