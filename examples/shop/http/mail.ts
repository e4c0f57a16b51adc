import type {FastifyBaseLogger} from 'fastify'
import type {Order} from '../store/orders.ts'

/** The shop's own address. */
export const SHOP_ADDRESS = 'hello@harbour-supply.example'

type Mail = {readonly to: string; readonly replyTo?: string; readonly subject: string; readonly text: string}

/** Sends an email. The demo writes it to the log, where you can read it. */
export function send(log: FastifyBaseLogger, mail: Mail): void {
  // Visitors' input goes into members, which the log encodes, and never into the message.
  log.info({mail}, 'an email of the demo shop')
}

export function confirmationOf({number, cart, recipient}: Order): Mail {
  const lines = cart.lines.map(({product, size, quantity}) =>
    [`${quantity} × ${product.name}`, size].filter(Boolean).join(', '),
  )
  return {
    to: recipient.email,
    replyTo: SHOP_ADDRESS,
    subject: `Your order ${number}`,
    text: `${lines.join('; ')}. Total: ${(cart.total / 100).toFixed(2)} EUR. To: ${recipient.name}, ${recipient.address}.`,
  }
}
