import type {Cart} from '../store/carts.ts'
import type {Catalogue} from '../store/catalogue.ts'
import type {Order} from '../store/orders.ts'
import {CATEGORIES, type Product} from '../store/products.ts'

// API responses: prices are in euros, and every item has the URL of its page.

/** A product in a list. */
export function productEntry(catalogue: Catalogue, {id, name, category, price}: Product) {
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

export function productDetails(catalogue: Catalogue, product: Product) {
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

export function cartBody({lines, count, total}: Cart) {
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

export function orderBody({number, placedAt, cart, recipient}: Order) {
  return {number, placedAt, ...cartBody(cart), ...recipient, url: `/orders/${number}`}
}

function euros(cents: number): number {
  return cents / 100
}
