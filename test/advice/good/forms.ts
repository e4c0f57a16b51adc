/** A well-made form tool: its name, description, page, selector, and whether the agent submits it. */
export type Form = readonly [
  name: string,
  description: string,
  pagePath: string,
  selector: string,
  autosubmit?: boolean,
]

export const FORMS: readonly Form[] = [
  [
    'filterEvents',
    'Filters the events on this page by month, place and price.',
    '/events',
    'form.filter',
    true,
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
    'registerForCourse',
    'Registers the visitor for the course on this page.',
    '/courses/*',
    ':is(form.register, form.waitlist)',
  ],
  [
    'requestCallback',
    'Asks for a call at a time that suits the visitor.',
    '/kontakt',
    'form[action="/callback"]',
  ],
]
