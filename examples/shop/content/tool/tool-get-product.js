const response = await fetch(`/api/products/${encodeURIComponent(args.productId)}`, {signal})
const body = await response.json().catch(() => ({}))
if (!response.ok) throw new Error(body.error?.message ?? `The product could not be read: the shop returned status ${response.status}.`)
return body
