import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
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

  /**
   * Runs the action of a form. If it fails, shows the page again with the error and the values that were
   * typed.
   */
  function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    act: () => FastifyReply,
    again: (problem: string) => Page,
  ): FastifyReply {
    try {
      return act()
    } catch (error) {
      if (!isShopError(error) || asksForJson(request)) throw error
      reply.code(error.statusCode)
      return show(request, reply, again(error.message))
    }
  }

  const cartAgain = (request: FastifyRequest) => (problem: string) =>
    cartPage(store.cartOf(visitorOf(request, carts)), typedIn(request.body), problem)

  app.post('/cart', (request, reply) => {
    const act = () => {
      const line = cartFormInput(request.body)
      const visitor = visitorOf(request, carts)
      remember(reply, visitor, store.add(visitor, line))
      return reply.redirect('/cart', 303)
    }
    return answer(request, reply, act, cartAgain(request))
  })

  app.post('/cart/lines', (request, reply) => {
    const act = () => {
      const {remove, ...fields} = fieldsOf(request.body)
      const line = cartFormInput(remove === undefined ? fields : {...fields, quantity: '0'}, 0)
      const visitor = visitorOf(request, carts)
      remember(reply, visitor, store.setQuantity(visitor, line))
      return reply.redirect('/cart', 303)
    }
    return answer(request, reply, act, cartAgain(request))
  })

  app.post('/orders', (request, reply) => {
    const act = () => {
      const order = store.placeOrder(visitorOf(request, carts), recipientInput(request.body))
      send(request.log, confirmationOf(order))
      return reply.redirect(`/orders/${order.number}`, 303)
    }
    return answer(request, reply, act, cartAgain(request))
  })

  app.post('/contact', (request, reply) => {
    const act = () => {
      const {name, email, subject, message} = messageInput(request.body)
      send(request.log, {to: SHOP_ADDRESS, replyTo: `${name} <${email}>`, subject, text: message})
      return thank(request, reply, '/contact/sent')
    }
    return answer(request, reply, act, (problem) => contactPage(typedIn(request.body), problem))
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
