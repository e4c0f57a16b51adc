import type {FastifyInstance} from 'fastify'
import type {Cart, CartLine} from '../store/carts.ts'
import type {Catalogue, ProductSearch} from '../store/catalogue.ts'
import type {Order, Recipient} from '../store/orders.ts'
import {CATEGORIES, type Product} from '../store/products.ts'
import type {Store} from '../store/store.ts'
import {ADDED, PAGE, RECIPIENT, SEARCH} from './input.ts'
import {confirmationOf, send} from './mail.ts'
import {remember, visitorOf} from './visitor.ts'

type ById = {Params: {id: string}}
type Limited = {limit: number}

/** The shop's API under `/api`, in JSON: what its pages and its tools are built on. */
export function apiRoutes(app: FastifyInstance, store: Store): void {
  const {catalogue, carts} = store

  const search = {schema: {querystring: SEARCH}}
  app.get<{Querystring: ProductSearch & Limited}>('/api/products', search, ({query}) => {
    const found = catalogue.search(query)
    return {
      products: found.slice(0, query.limit).map((product) => productEntry(catalogue, product)),
      total: found.length,
    }
  })

  app.get<ById>('/api/products/:id', ({params}) => productDetails(catalogue, store.product(params.id)))

  const page = {schema: {querystring: PAGE}}
  app.get<ById & {Querystring: Limited}>('/api/products/:id/reviews', page, ({params, query}) => {
    const {id, name} = store.product(params.id)
    const reviews = catalogue.reviewsOf(id)
    return {
      product: {id, name},
      reviews: reviews
        .slice(0, query.limit)
        .map(({author, date, rating, text}) => ({rating, author, date, text})),
      total: reviews.length,
    }
  })

  app.get('/api/cart', (request) => cartBody(store.cartOf(visitorOf(request, carts))))

  app.post<{Body: CartLine}>('/api/cart', {schema: {body: ADDED}}, (request, reply) => {
    const known = visitorOf(request, carts)
    const visitor = store.add(known, request.body)
    remember(reply, known, visitor)
    return cartBody(store.cartOf(visitor))
  })

  app.post<{Body: Recipient}>('/api/orders', {schema: {body: RECIPIENT}}, (request, reply) => {
    const order = store.placeOrder(visitorOf(request, carts), request.body)
    send(request.log, confirmationOf(order))
    reply.code(201).header('location', `/orders/${order.number}`)
    return orderBody(order)
  })
}

// API responses: prices are in euros, and every item has the URL of its page.

/** A product in a list. */
function productEntry(catalogue: Catalogue, {id, name, category, price}: Product) {
  return {
    id,
    name,
    category: CATEGORIES[category],
    price: euros(price),
    currency: 'EUR',
    stock: catalogue.stockOf(id),
    url: `/products/${id}`,
  }
}

function productDetails(catalogue: Catalogue, product: Product) {
  const {id, description, details, sizes = []} = product
  return {
    ...productEntry(catalogue, product),
    description,
    details,
    sizes,
    rating: catalogue.ratingOf(id) ?? null,
    reviews: catalogue.reviewsOf(id).length,
  }
}

function cartBody({lines, count, total}: Cart) {
  return {
    lines: lines.map(({product, size, quantity}) => ({
      productId: product.id,
      name: product.name,
      ...(size === undefined ? {} : {size}),
      quantity,
      price: euros(product.price),
      sum: euros(product.price * quantity),
    })),
    count,
    total: euros(total),
    currency: 'EUR',
  }
}

function orderBody({number, placedAt, cart, recipient}: Order) {
  return {number, placedAt, ...cartBody(cart), ...recipient, url: `/orders/${number}`}
}

function euros(cents: number): number {
  return cents / 100
}
