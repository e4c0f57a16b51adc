import {type Category, PRODUCTS, type Product} from './products.ts'
import {REVIEWS, type Review} from './reviews.ts'

/** Search criteria. Missing ones do not restrict the result. */
export type ProductSearch = {
  /** Every word must occur in a product's name, description or details. */
  readonly q?: string
  readonly category?: Category
  /** Euros. */
  readonly maxPrice?: number
}

/** The products, their reviews and their stock. */
export class Catalogue {
  readonly #shelf = new Map(PRODUCTS.map((product) => [product.id, product.stock]))

  /** In the order of the catalogue. */
  search({q = '', category, maxPrice = Number.POSITIVE_INFINITY}: ProductSearch): Product[] {
    const stems = plain(q).split(' ').filter(Boolean).map(withoutPlural)
    return PRODUCTS.filter(
      (product) =>
        (category === undefined || product.category === category) &&
        product.price <= Math.round(maxPrice * 100) &&
        // Match only at the start of a word: "rope" must not match "proper".
        stems.every((stem) => textOf(product).includes(` ${stem}`)),
    )
  }

  stockOf(id: string): number {
    return this.#shelf.get(id) ?? 0
  }

  /**
   * Reduces the stock after a sale. The caller must check the stock first, in the same turn of the event
   * loop.
   */
  take(id: string, quantity: number): void {
    this.#shelf.set(id, this.stockOf(id) - quantity)
  }

  /** Newest first. */
  reviewsOf(id: string): readonly Review[] {
    return REVIEWS.get(id) ?? []
  }

  /** Returns the mean rating of a product, to one decimal. `undefined` without reviews. */
  ratingOf(id: string): number | undefined {
    const ratings = this.reviewsOf(id).map(({rating}) => rating)
    if (ratings.length === 0) return undefined
    return Math.round((ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length) * 10) / 10
  }
}

function textOf({name, description, details}: Product): string {
  return plain([name, description, ...details].join(' '))
}

/** Returns lower-case words without accents and punctuation, each after a space. */
function plain(text: string): string {
  const letters = text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
  return ` ${letters.replace(/[^\p{Letter}\p{Number}]+/gu, ' ')}`
}

/** "jackets" finds "jacket": enough of English for a dozen products. */
function withoutPlural(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word
}
