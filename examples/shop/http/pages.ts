import type {FastifyInstance, FastifyRequest} from 'fastify'
import {errors} from '../errors.ts'
import {aboutPage} from '../pages/about.ts'
import {cartPage} from '../pages/cart.ts'
import {contactPage} from '../pages/contact.ts'
import {homePage} from '../pages/home.ts'
import {notePage} from '../pages/note.ts'
import {orderPage} from '../pages/order.ts'
import {productPage} from '../pages/product.ts'
import {productsPage} from '../pages/products.ts'
import type {ProductSearch} from '../store/catalogue.ts'
import type {Product} from '../store/products.ts'
import type {Store} from '../store/store.ts'
import {SEARCH, typedIn} from './input.ts'
import {orShow, type Show} from './show.ts'
import {THANKS} from './thanks.ts'
import {visitorOf} from './visitor.ts'

const FEATURED = ['oilskin-jacket', 'mooring-rope', 'storm-lantern', 'hand-compass']

/** The read-only pages. */
export function pageRoutes(app: FastifyInstance, store: Store, show: Show): void {
  const {catalogue, carts} = store
  const withStock = (product: Product) => ({product, stock: catalogue.stockOf(product.id)})

  app.get('/', (request, reply) =>
    show(request, reply, homePage(FEATURED.map((id) => withStock(store.product(id))))),
  )

  const found = (request: FastifyRequest, search: ProductSearch, problem?: string) =>
    productsPage(catalogue.search(search).map(withStock), typedIn(request.query), problem)
  const search = {
    schema: {querystring: SEARCH},
    ...orShow(show, (request, problem) => found(request, {}, problem)),
  }
  app.get<{Querystring: ProductSearch}>('/products', search, (request, reply) =>
    show(request, reply, found(request, request.query)),
  )

  app.get<{Params: {id: string}}>('/products/:id', (request, reply) => {
    const product = store.product(request.params.id)
    const {id} = product
    const facts = {
      stock: catalogue.stockOf(id),
      rating: catalogue.ratingOf(id),
      reviews: catalogue.reviewsOf(id),
    }
    return show(request, reply, productPage(product, facts))
  })

  app.get('/cart', (request, reply) =>
    show(request, reply, cartPage(store.cartOf(visitorOf(request, carts)), {})),
  )

  app.get<{Params: {number: string}}>('/orders/:number', (request, reply) => {
    const order = store.orders.find(visitorOf(request, carts), request.params.number)
    if (order === undefined) throw new errors.NOT_FOUND('You have no order with this number.')
    return show(request, reply, orderPage(order))
  })

  app.get('/contact', (request, reply) => show(request, reply, contactPage({})))
  app.get('/about', (request, reply) => show(request, reply, aboutPage()))

  for (const [path, {title, text}] of Object.entries(THANKS)) {
    app.get(path, (request, reply) => show(request, reply, notePage(title, text)))
  }
}
