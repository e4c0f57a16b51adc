/**
 * The cart on the page. Code that changes the cart dispatches an event on the document, and the page updates.
 * The shop's own button and the tools both do this.
 *
 *     document.dispatchEvent(new CustomEvent('cart:changed', {detail: cart}))
 *     document.dispatchEvent(new CustomEvent('order:placed', {detail: order}))
 */
import {refresh, show} from './navigation.js'

const toast = document.querySelector('[data-toast]')
let hideToast = 0

document.addEventListener('cart:changed', ({detail: {count, total}}) => {
  showCount(count)
  say(count === 0 ? 'The cart is empty.' : `In the cart: ${count}, for €${total.toFixed(2)}.`)
  if (location.pathname === '/cart') void refresh()
})

document.addEventListener('order:placed', ({detail: {url}}) => {
  void show(url)
})

// From the cache of the browser's "back", a page is as it was left.
addEventListener('pageshow', async ({persisted}) => {
  if (!persisted) return
  if (location.pathname === '/cart') return refresh()
  const answer = await fetch('/api/cart').catch(() => undefined)
  if (answer?.ok) showCount((await answer.json()).count)
})

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-adds-to-cart]')) return
  event.preventDefault()
  const {productId, size, quantity} = Object.fromEntries(new FormData(form))
  try {
    const answer = await fetch('/api/cart', {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({productId, size, quantity: Number(quantity)}),
    })
    const cart = await answer.json()
    if (!answer.ok) say(cart.error.message)
    else document.dispatchEvent(new CustomEvent('cart:changed', {detail: cart}))
  } catch {
    say('The shop does not respond. Try again.')
  }
})

/** @param {number} count */
function showCount(count) {
  for (const place of document.querySelectorAll('[data-cart-count]')) place.textContent = String(count)
}

/** @param {string} text */
function say(text) {
  if (!toast) return
  toast.textContent = text
  clearTimeout(hideToast)
  hideToast = setTimeout(() => {
    toast.textContent = ''
  }, 5_000)
}
