/** What a visitor reads after a form, by the address of the page that says so. An agent is told the text alone. */
export const THANKS = {
  '/contact/sent': {
    title: 'Your message is on its way',
    text: 'Thank you: we answer by email within a working day. As this is a demonstration, it stands in the shop’s log.',
  },
  '/newsletter/subscribed': {
    title: 'One more step',
    text: 'We sent you an email: answer it, and the next letter is yours. As this is a demonstration, it stands in the shop’s log.',
  },
} as const
