import type {Cart} from '../store/carts.ts'
import {MAX_QUANTITY} from '../store/store.ts'
import {type Html, html} from './html.ts'
import type {Page} from './layout.ts'
import {addressOf, money, problemNote, type Typed} from './parts.ts'
import {pictureOf} from './pictures.ts'

export function cartPage(cart: Cart, typed: Typed, problem?: string): Page {
  return {
    title: 'Cart',
    section: '/cart',
    main: html`<h1>Your cart</h1>
${problemNote(problem)}
${cart.lines.length === 0 ? emptyCart : html`${lineList(cart)}${orderForm(typed)}`}`,
  }
}

const emptyCart = html`<p>Your cart is empty. <a href="/products">Have a look around.</a></p>`

function lineList({lines, total}: Cart): Html {
  return html`<ul class="lines">${lines.map(lineItem)}</ul>
<p class="total">Total <strong>${money(total)}</strong></p>`
}

function lineItem({product, size, quantity}: Cart['lines'][number]): Html {
  const name = size === undefined ? product.name : `${product.name}, ${size}`
  const id = `quantity-${product.id}-${size ?? ''}`
  return html`<li>
  <span class="tile">${pictureOf(product.id)}</span>
  <a href="${addressOf(product)}">${name}</a>
  <form method="post" action="/cart/lines">
    <input type="hidden" name="productId" value="${product.id}">
    <input type="hidden" name="size" value="${size ?? ''}">
    <label class="unseen" for="${id}">Quantity of ${name}</label>
    <input id="${id}" name="quantity" type="number" min="0" max="${MAX_QUANTITY}" value="${quantity}" required>
    <button class="quiet">Change<span class="unseen"> the quantity of ${name}</span></button>
    <button class="quiet" name="remove" value="yes" formnovalidate>Remove<span class="unseen"> ${name}</span></button>
  </form>
  <span class="sum">${money(product.price * quantity)}</span>
</li>`
}

function orderForm({name, address, email}: Typed): Html {
  return html`<section class="order" aria-labelledby="order-title">
  <h2 id="order-title">Where should we send it?</h2>
  <form method="post" action="/orders" class="stacked">
    <p><label for="order-name">Name</label>
    <input id="order-name" name="name" autocomplete="name" maxlength="200" value="${name}" required></p>
    <p><label for="order-address">Address</label>
    <input id="order-address" name="address" autocomplete="street-address" maxlength="500" value="${address}" required aria-describedby="order-address-hint"></p>
    <p class="hint" id="order-address-hint">Street, postal code, town and country</p>
    <p><label for="order-email">Email</label>
    <input id="order-email" name="email" type="email" autocomplete="email" maxlength="254" value="${email}" required></p>
    <button>Place the order</button>
  </form>
</section>`
}
