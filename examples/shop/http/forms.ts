import type {FastifyError, FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {isShopError} from '../errors.ts'
import {cartPage} from '../pages/cart.ts'
import {contactPage} from '../pages/contact.ts'
import type {Page} from '../pages/layout.ts'
import type {Store} from '../store/store.ts'
import {cartFormInput, fieldsOf, messageInput, recipientInput, subscriptionInput, typedIn} from './input.ts'
import {confirmationOf, SHOP_ADDRESS, send} from './mail.ts'
import {asksForJson, type Show} from './show.ts'
import {THANKS} from './thanks.ts'
import {remember, visitorOf} from './visitor.ts'

/**
 * The targets of the pages' forms. Each form works without a script and then leads to another page. If the
 * page's script asks for JSON, the page stays.
 */
export function formRoutes(app: FastifyInstance, store: Store, show: Show): void {
  const {carts} = store
  app.addContentTypeParser('application/x-www-form-urlencoded', {parseAs: 'string'}, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  /** If a form cannot be used, its page is shown again with the error and the values that were typed. */
  const orShow = (again: (request: FastifyRequest, problem: string) => Page) => ({
    errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      if (!isShopError(error) || asksForJson(request)) throw error
      return show(request, reply.code(error.statusCode), again(request, error.message))
    },
  })

  const orShowCart = orShow((request, problem) =>
    cartPage(store.cartOf(visitorOf(request, carts)), typedIn(request.body), problem),
  )

  app.post('/cart', orShowCart, (request, reply) => {
    const line = cartFormInput(request.body)
    const visitor = visitorOf(request, carts)
    remember(reply, visitor, store.add(visitor, line))
    return reply.redirect('/cart', 303)
  })

  app.post('/cart/lines', orShowCart, (request, reply) => {
    const {remove, ...fields} = fieldsOf(request.body)
    const line = cartFormInput(remove === undefined ? fields : {...fields, quantity: '0'}, 0)
    const visitor = visitorOf(request, carts)
    remember(reply, visitor, store.setQuantity(visitor, line))
    return reply.redirect('/cart', 303)
  })

  app.post('/orders', orShowCart, (request, reply) => {
    const order = store.placeOrder(visitorOf(request, carts), recipientInput(request.body))
    send(request.log, confirmationOf(order))
    return reply.redirect(`/orders/${order.number}`, 303)
  })

  const orShowContact = orShow(({body}, problem) => contactPage(typedIn(body), problem))

  app.post('/contact', orShowContact, (request, reply) => {
    const {name, email, subject, message} = messageInput(request.body)
    send(request.log, {to: SHOP_ADDRESS, replyTo: `${name} <${email}>`, subject, text: message})
    return thank(request, reply, '/contact/sent')
  })

  app.post('/newsletter', (request, reply) => {
    const {email} = subscriptionInput(request.body)
    send(request.log, {
      to: email,
      replyTo: SHOP_ADDRESS,
      subject: 'Confirm your subscription',
      text: 'Reply to this email to confirm.',
    })
    return thank(request, reply, '/newsletter/subscribed')
  })
}

function thank(request: FastifyRequest, reply: FastifyReply, path: keyof typeof THANKS): FastifyReply {
  return asksForJson(request) ? reply.send({message: THANKS[path].text}) : reply.redirect(path, 303)
}
