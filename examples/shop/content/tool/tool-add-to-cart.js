const response = await fetch('/api/cart', {
  method: 'POST',
  headers: {'Content-Type': 'application/json'},
  body: JSON.stringify({productId: args.productId, size: args.size, quantity: args.quantity ?? 1}),
  signal,
})
const cart = await response.json().catch(() => ({}))
if (!response.ok) throw new Error(cart.error?.message ?? `The cart was not changed: the shop returned status ${response.status}.`)
// The page listens to this event and shows the new cart.
document.dispatchEvent(new CustomEvent('cart:changed', {detail: cart}))
return cart
