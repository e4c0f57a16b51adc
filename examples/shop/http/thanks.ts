/** Confirmation texts after a form, by the path of their page. Agents receive only the text. */
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
