/** Confirmation texts after a form, by the path of their page. Agents receive only the text. */
export const THANKS = {
  '/contact/sent': {
    title: 'Your message is on its way',
    text: 'Thank you! We reply by email within one working day. In this demo, your message is only written to the shop’s log.',
  },
  '/newsletter/subscribed': {
    title: 'One more step',
    text: 'We sent you an email. Reply to it to confirm your subscription. In this demo, the email is only written to the shop’s log.',
  },
} as const
