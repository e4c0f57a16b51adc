import {LRUCache} from 'lru-cache'
import type {Cart} from './carts.ts'

/** The recipient of a parcel. */
export type Recipient = {readonly name: string; readonly address: string; readonly email: string}

export type Order = {
  /** As `HS-1001`. */
  readonly number: string
  /** ISO 8601. */
  readonly placedAt: string
  readonly cart: Cart
  readonly recipient: Recipient
}

const MAX_ORDERS = 1_000

/** The orders since the shop started, in memory. The oldest are evicted first. */
export class Orders {
  readonly #orders = new LRUCache<string, {visitor: string; order: Order}>({max: MAX_ORDERS})
  #last = 1_000

  record(visitor: string, cart: Cart, recipient: Recipient): Order {
    this.#last += 1
    const number = `HS-${this.#last}`
    const order = {number, placedAt: new Date().toISOString(), cart, recipient}
    this.#orders.set(number, {visitor, order})
    return order
  }

  /** Returns an order, but only to the visitor who placed it. */
  find(visitor: string | undefined, number: string): Order | undefined {
    const found = this.#orders.peek(number)
    return found?.visitor === visitor ? found?.order : undefined
  }
}
