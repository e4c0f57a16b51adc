/** A well-made form tool: its name, description, page, selector, and whether the agent submits it. */
export type Form = readonly [
  name: string,
  description: string,
  pagePath: string,
  selector: string,
  autosubmit?: boolean,
]

export const FORMS: readonly Form[] = [
  ['reserveRoom', 'Reserves a room for some nights. The visitor pays on arrival.', '/rooms/*', '#reserve'],
  [
    'filterEvents',
    'Filters the events on this page by month, place and price.',
    '/events',
    'form.filter',
    true,
  ],
  [
    'requestQuote',
    'Asks for an offer for a number of guests, with food and drinks.',
    '/catering',
    'main form',
  ],
  [
    'signUpForNewsletter',
    'Signs an email address up for the monthly newsletter.',
    '/{,about,blog/**}',
    'footer form',
  ],
  [
    'findDealer',
    'Finds dealers near a postal code and shows them on the map.',
    '/dealers',
    'form:has(input[name=zip])',
    true,
  ],
  [
    'reportDamage',
    'Reports a damage to the insurance, with date, place and a description.',
    '/insurance/**',
    'form[name="damage"]',
  ],
  [
    'configureBike',
    'Chooses frame, colour and equipment of a bicycle and shows its price.',
    '/bikes/*/configure',
    'form.configurator',
    true,
  ],
  [
    'registerForCourse',
    'Registers the visitor for the course on this page.',
    '/courses/*',
    ':is(form.register, form.waitlist)',
  ],
  [
    'checkOrder',
    'Shows the state of an order by its number and the email address.',
    '/orders',
    'main > form:first-of-type',
    true,
  ],
  [
    'requestCallback',
    'Asks for a call at a time that suits the visitor.',
    '/kontakt',
    'form[action="/callback"]',
  ],
  ['validateVoucher', 'Tells what a voucher is worth, without using it.', '/basket', '#voucher', true],
]
