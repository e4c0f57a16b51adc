import {errors} from '../errors.ts'
import {type Cart, type CartLine, Carts, isSame} from './carts.ts'
import {Catalogue} from './catalogue.ts'
import {type Order, Orders, type Recipient} from './orders.ts'
import {PRODUCTS, type Product} from './products.ts'

/** Maximum quantity of one product and size in a cart. */
export const MAX_QUANTITY = 20

/** Everything that a visitor can do in the shop, through a page, a form or a tool. */
export class Store {
  readonly catalogue = new Catalogue()
  readonly carts = new Carts()
  readonly orders = new Orders()

  /** @throws UNKNOWN_PRODUCT */
  product(id: string): Product {
    const product = PRODUCTS.find((known) => known.id === id)
    if (product === undefined) throw new errors.UNKNOWN_PRODUCT(id.slice(0, 100))
    return product
  }

  /** Returns a visitor's cart, which may be empty. */
  cartOf(visitor: string | undefined): Cart {
    const lines = this.#linesOf(visitor).map(({productId, ...line}) => ({
      ...line,
      product: this.product(productId),
    }))
    return {
      lines,
      count: lines.reduce((sum, {quantity}) => sum + quantity, 0),
      total: lines.reduce((sum, {quantity, product}) => sum + quantity * product.price, 0),
    }
  }

  /**
   * Adds a product to a cart.
   * @param visitor `undefined` for a visitor without a cart
   * @returns the visitor, who now has a cart
   * @throws UNKNOWN_PRODUCT, INVALID_INPUT for its size or quantity, OUT_OF_STOCK
   */
  add(visitor: string | undefined, added: CartLine): string {
    const present = this.#linesOf(visitor).find((line) => isSame(line, added))?.quantity ?? 0
    return this.setQuantity(visitor, {...added, quantity: present + added.quantity})
  }

  /** Sets the quantity of a product in a cart; 0 removes it. Otherwise like {@link add}. */
  setQuantity(visitor: string | undefined, line: CartLine): string {
    const product = this.product(line.productId)
    checkSize(product, line.size)
    if (line.quantity > MAX_QUANTITY) {
      throw new errors.INVALID_INPUT(
        `A cart can have at most ${MAX_QUANTITY} of ${product.name}; that would be ${line.quantity}.`,
      )
    }
    const otherSizes = this.#linesOf(visitor).filter(
      (other) => other.productId === line.productId && !isSame(other, line),
    )
    // Removing an item must work even if the stock is too low for the rest.
    if (line.quantity > 0) this.#checkStock(product, [...otherSizes, line])
    const owner = visitor ?? this.carts.open()
    this.carts.set(owner, line)
    return owner
  }

  /** Sells the content of a cart, and empties it. @throws EMPTY_CART, OUT_OF_STOCK: nothing was sold */
  placeOrder(visitor: string | undefined, recipient: Recipient): Order {
    const cart = this.cartOf(visitor)
    if (visitor === undefined || cart.lines.length === 0) throw new errors.EMPTY_CART()
    for (const {product} of cart.lines) {
      this.#checkStock(
        product,
        cart.lines.filter((line) => line.product === product),
      )
    }
    for (const {product, quantity} of cart.lines) this.catalogue.take(product.id, quantity)
    this.carts.clear(visitor)
    return this.orders.record(visitor, cart, recipient)
  }

  #linesOf(visitor: string | undefined): readonly CartLine[] {
    return visitor === undefined ? [] : (this.carts.linesOf(visitor) ?? [])
  }

  /** @param lines all sizes of the product in one cart. They share one stock. */
  #checkStock(product: Product, lines: readonly {quantity: number}[]): void {
    const wanted = lines.reduce((sum, {quantity}) => sum + quantity, 0)
    const stock = this.catalogue.stockOf(product.id)
    if (stock === 0) throw new errors.OUT_OF_STOCK(`${product.name} is sold out.`)
    if (wanted > stock) {
      throw new errors.OUT_OF_STOCK(
        `Only ${stock} of ${product.name} are in stock; the cart would have ${wanted}.`,
      )
    }
  }
}

function checkSize({name, sizes}: Product, size: string | undefined): void {
  if (sizes === undefined && size !== undefined) {
    throw new errors.INVALID_INPUT(`${name} comes in one size: leave "size" out.`)
  }
  if (sizes === undefined || (size !== undefined && sizes.includes(size))) return
  const said = size === undefined ? 'Say which size' : `There is no size "${size.slice(0, 20)}"`
  throw new errors.INVALID_INPUT(`${said}: ${name} comes in ${sizes.join(', ')}.`)
}
