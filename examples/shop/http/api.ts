import type {FastifyInstance} from 'fastify'
import type {Store} from '../store/store.ts'
import {cartInput, limitInput, recipientInput, searchInput} from './input.ts'
import {cartBody, orderBody, productDetails, productEntry} from './json.ts'
import {confirmationOf, send} from './mail.ts'
import {remember, visitorOf} from './visitor.ts'

type ById = {Params: {id: string}}

/** The shop's API under `/api`, in JSON: what its pages and its tools are built on. */
export function apiRoutes(app: FastifyInstance, store: Store): void {
  const {catalogue, carts} = store

  app.get('/api/products', (request) => {
    const found = catalogue.search(searchInput(request.query))
    const limit = limitInput(request.query, 20)
    return {
      products: found.slice(0, limit).map((product) => productEntry(catalogue, product)),
      total: found.length,
    }
  })

  app.get<ById>('/api/products/:id', ({params}) => productDetails(catalogue, store.product(params.id)))

  app.get<ById>('/api/products/:id/reviews', ({params, query}) => {
    const {id, name} = store.product(params.id)
    const reviews = catalogue.reviewsOf(id)
    return {
      product: {id, name},
      reviews: reviews
        .slice(0, limitInput(query, 20))
        .map(({author, date, rating, text}) => ({rating, author, date, text})),
      total: reviews.length,
    }
  })

  app.get('/api/cart', (request) => cartBody(store.cartOf(visitorOf(request, carts))))

  app.post('/api/cart', (request, reply) => {
    const known = visitorOf(request, carts)
    const visitor = store.add(known, cartInput(request.body))
    remember(reply, known, visitor)
    return cartBody(store.cartOf(visitor))
  })

  app.post('/api/orders', (request, reply) => {
    const order = store.placeOrder(visitorOf(request, carts), recipientInput(request.body))
    send(request.log, confirmationOf(order))
    reply.code(201).header('location', `/orders/${order.number}`)
    return orderBody(order)
  })
}
