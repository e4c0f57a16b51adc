import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {cartPage} from '../pages/cart.ts'
import {contactPage} from '../pages/contact.ts'
import type {CartLine} from '../store/carts.ts'
import type {Recipient} from '../store/orders.ts'
import type {Store} from '../store/store.ts'
import {ADDED, CHANGED, fieldsOf, MESSAGE, RECIPIENT, SUBSCRIPTION, typedIn} from './input.ts'
import {confirmationOf, SHOP_ADDRESS, send} from './mail.ts'
import {asksForJson, orShow, type Show} from './show.ts'
import {THANKS} from './thanks.ts'
import {remember, visitorOf} from './visitor.ts'

type Message = {
  readonly name: string
  readonly email: string
  readonly subject: string
  readonly message: string
}

/**
 * The targets of the pages' forms. Each form works without a script and then leads to another page. If the
 * page's script asks for JSON, the page stays.
 */
export function formRoutes(app: FastifyInstance, store: Store, show: Show): void {
  const {carts} = store
  app.addContentTypeParser('application/x-www-form-urlencoded', {parseAs: 'string'}, (_request, body, done) =>
    done(null, fieldsOf(String(body))),
  )

  const orShowCart = orShow(show, (request, problem) =>
    cartPage(store.cartOf(visitorOf(request, carts)), typedIn(request.body), problem),
  )
  const orShowContact = orShow(show, ({body}, problem) => contactPage(typedIn(body), problem))

  app.post<{Body: CartLine}>('/cart', {schema: {body: ADDED}, ...orShowCart}, (request, reply) => {
    const visitor = visitorOf(request, carts)
    remember(reply, visitor, store.add(visitor, request.body))
    return reply.redirect('/cart', 303)
  })

  const changed = {schema: {body: CHANGED}, ...orShowCart}
  app.post<{Body: CartLine & {remove?: string}}>('/cart/lines', changed, (request, reply) => {
    const {remove, ...line} = request.body
    const visitor = visitorOf(request, carts)
    remember(reply, visitor, store.setQuantity(visitor, remove === undefined ? line : {...line, quantity: 0}))
    return reply.redirect('/cart', 303)
  })

  app.post<{Body: Recipient}>('/orders', {schema: {body: RECIPIENT}, ...orShowCart}, (request, reply) => {
    const order = store.placeOrder(visitorOf(request, carts), request.body)
    send(request.log, confirmationOf(order))
    return reply.redirect(`/orders/${order.number}`, 303)
  })

  app.post<{Body: Message}>('/contact', {schema: {body: MESSAGE}, ...orShowContact}, (request, reply) => {
    const {name, email, subject, message} = request.body
    send(request.log, {to: SHOP_ADDRESS, replyTo: `${name} <${email}>`, subject, text: message})
    return thank(request, reply, '/contact/sent')
  })

  app.post<{Body: Pick<Message, 'email'>}>(
    '/newsletter',
    {schema: {body: SUBSCRIPTION}},
    (request, reply) => {
      send(request.log, {
        to: request.body.email,
        replyTo: SHOP_ADDRESS,
        subject: 'Confirm your subscription',
        text: 'Reply to this email to confirm.',
      })
      return thank(request, reply, '/newsletter/subscribed')
    },
  )
}

function thank(request: FastifyRequest, reply: FastifyReply, path: keyof typeof THANKS): FastifyReply {
  return asksForJson(request) ? reply.send({message: THANKS[path].text}) : reply.redirect(path, 303)
}
