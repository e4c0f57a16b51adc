import {randomBytes} from 'node:crypto'
import {LRUCache} from 'lru-cache'
import type {Product} from './products.ts'

/** One row of a cart: a product in one size. */
export type CartLine = {
  readonly productId: string
  /** Undefined for a product of only one size. */
  readonly size: string | undefined
  readonly quantity: number
}

/** A cart as it is shown: with names and prices. */
export type Cart = {
  readonly lines: readonly (Omit<CartLine, 'productId'> & {readonly product: Product})[]
  /** Pieces. */
  readonly count: number
  /** Euro cents. */
  readonly total: number
}

/** Milliseconds that a cart is kept after its visitor was last here. */
const CART_LIFETIME = 24 * 60 * 60 * 1000

const MAX_CARTS = 10_000

/** The carts of all visitors, in memory. Those that were not looked at for longest make room for new ones. */
export class Carts {
  readonly #carts: LRUCache<string, readonly CartLine[]>

  /** @param clock milliseconds since some fixed moment, which only grow */
  constructor(clock: {now(): number} = performance) {
    this.#carts = new LRUCache({
      max: MAX_CARTS,
      ttl: CART_LIFETIME,
      ttlResolution: 0,
      updateAgeOnGet: true,
      perf: clock,
    })
  }

  /** Makes an empty cart. @returns the secret by which its visitor is known: 128 bits. */
  open(): string {
    const visitor = randomBytes(16).toString('base64url')
    this.#carts.set(visitor, [])
    return visitor
  }

  /** Undefined for a visitor whose cart has expired, or who never had one. */
  linesOf(visitor: string): readonly CartLine[] | undefined {
    return this.#carts.get(visitor)
  }

  /** Sets how many of a product are in a cart; 0 takes it out. */
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

/** Whether two lines stand for one thing on the shelf. */
export function isSame(
  a: Pick<CartLine, 'productId' | 'size'>,
  b: Pick<CartLine, 'productId' | 'size'>,
): boolean {
  return a.productId === b.productId && a.size === b.size
}
