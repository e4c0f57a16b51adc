import type {Order} from '../store/orders.ts'
import {html} from './html.ts'
import type {Page} from './layout.ts'
import {money} from './parts.ts'

export function orderPage({number, cart, recipient}: Order): Page {
  return {
    title: `Order ${number}`,
    main: html`<h1>Thank you, ${recipient.name}</h1>
<p>Your order <strong class="order-number">${number}</strong> is confirmed. We ship it to ${recipient.address}, and sent an email to ${recipient.email}.</p>
<table class="order">
  <caption class="unseen">What you ordered</caption>
  <thead><tr><th scope="col">Product</th><th scope="col">Quantity</th><th scope="col">Sum</th></tr></thead>
  <tbody>${cart.lines.map(
    ({product, size, quantity}) =>
      html`<tr><td>${product.name}${size !== undefined && `, ${size}`}</td><td>${quantity}</td><td>${money(product.price * quantity)}</td></tr>`,
  )}</tbody>
  <tfoot><tr><th scope="row" colspan="2">Total</th><td>${money(cart.total)}</td></tr></tfoot>
</table>
<p class="hint">In this demo, the email is only written to the shop’s log.</p>
<p><a href="/products">Back to the products</a></p>`,
  }
}
