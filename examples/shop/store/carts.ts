import {randomBytes} from 'node:crypto'
import {LRUCache} from 'lru-cache'
import type {Product} from './products.ts'

/** One row of a cart: a product in one size. */
export type CartLine = {
  readonly productId: string
  /** Undefined for a product of only one size. */
  readonly size?: string | undefined
  readonly quantity: number
}

/** A cart for display, with names and prices. */
export type Cart = {
  readonly lines: readonly (Omit<CartLine, 'productId'> & {readonly product: Product})[]
  /** Pieces. */
  readonly count: number
  /** Euro cents. */
  readonly total: number
}

const MAX_CARTS = 10_000

/** The carts of all visitors, in memory. The least recently used are evicted first. */
export class Carts {
  readonly #carts = new LRUCache<string, readonly CartLine[]>({max: MAX_CARTS})

  /** Creates an empty cart. @returns the visitor's 128-bit secret */
  open(): string {
    const visitor = randomBytes(16).toString('base64url')
    this.#carts.set(visitor, [])
    return visitor
  }

  /** Returns the lines of a cart. `undefined` if it was evicted or never existed. */
  linesOf(visitor: string): readonly CartLine[] | undefined {
    return this.#carts.get(visitor)
  }

  /** Sets the quantity of a product in a cart; 0 removes it. */
  set(visitor: string, line: CartLine): void {
    const lines = this.#carts.get(visitor) ?? []
    const index = lines.findIndex((other) => isSame(other, line))
    const next = index < 0 ? [...lines, line] : lines.with(index, line)
    this.#carts.set(
      visitor,
      next.filter(({quantity}) => quantity > 0),
    )
  }

  clear(visitor: string): void {
    this.#carts.set(visitor, [])
  }
}

/** Whether two lines are for the same product and size. */
export function isSame(a: CartLine, b: CartLine): boolean {
  return a.productId === b.productId && a.size === b.size
}
