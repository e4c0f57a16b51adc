const productId = args.productId ?? decodeURIComponent(location.pathname.split('/')[2] ?? '')
if (productId === '') throw new Error('Pass productId: this page is not the page of a single product.')
const response = await fetch(`/api/products/${encodeURIComponent(productId)}/reviews?limit=${args.limit ?? 10}`, {signal})
const body = await response.json().catch(() => ({}))
if (!response.ok) throw new Error(body.error?.message ?? `The reviews could not be read: the shop returned status ${response.status}.`)
return body
