const response = await fetch('/api/cart', {signal})
const body = await response.json().catch(() => ({}))
if (!response.ok) throw new Error(body.error?.message ?? `The cart could not be read: the shop returned status ${response.status}.`)
return body
