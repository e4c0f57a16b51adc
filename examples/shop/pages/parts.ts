import type {Product} from '../store/products.ts'
import {type Html, html} from './html.ts'
import {pictureOf} from './pictures.ts'

/** Values that a visitor typed into a form, by field name. Shown again if they were rejected. */
export type Typed = Readonly<Record<string, string | undefined>>

/**
 * Attributes of a form that a form tool of the content describes. While they are empty, the form is not a tool.
 * Chromium reports an issue when a script adds the first of them, but not when it changes them.
 */
export const TOOL_IN_STUDIO = html` toolname="" tooldescription=""`

const euro = new Intl.NumberFormat('en-IE', {style: 'currency', currency: 'EUR'})

/** @param cents an amount of money in euro cents */
export function money(cents: number): string {
  return euro.format(cents / 100)
}

export function addressOf({id}: Pick<Product, 'id'>): string {
  return `/products/${encodeURIComponent(id)}`
}

export function productCard(product: Product, stock: number): Html {
  return html`<li class="card">
  <a class="card-link" href="${addressOf(product)}">
    <span class="tile">${pictureOf(product.id)}</span>
    <span class="card-name">${product.name}</span>
    <span class="card-price">${money(product.price)}${stock === 0 && html` <span class="sold-out">sold out</span>`}</span>
  </a>
</li>`
}

export function stars(rating: number): Html {
  const full = Math.round(rating)
  return html`<span class="stars"><span aria-hidden="true">${'★'.repeat(full)}${'☆'.repeat(5 - full)}</span><span class="unseen">${rating} of 5 stars</span></span>`
}

/** Renders an error message, if there is one. */
export function problemNote(problem: string | undefined): Html | undefined {
  return problem === undefined ? undefined : html`<p class="problem" role="alert">${problem}</p>`
}

export function newsletterForm(): Html {
  return html`<section class="newsletter" aria-labelledby="newsletter-title">
  <h2 id="newsletter-title">A letter from the quay</h2>
  <p>Once a month: what is new on the shelf, and when the tide is right for painting.</p>
  <form name="newsletter" method="post" action="/newsletter" data-answers-here${TOOL_IN_STUDIO}>
    <label for="newsletter-email">Email address</label>
    <div class="row">
      <input id="newsletter-email" name="email" type="email" autocomplete="email" maxlength="254" required>
      <button>Subscribe</button>
    </div>
  </form>
</section>`
}
