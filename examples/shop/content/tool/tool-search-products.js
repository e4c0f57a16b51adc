const search = new URLSearchParams({q: args.query, limit: String(args.limit ?? 10)})
if (args.maxPrice !== undefined) search.set('maxPrice', String(args.maxPrice))
const response = await fetch(`/api/products?${search}`, {signal})
const body = await response.json().catch(() => ({}))
if (!response.ok) throw new Error(body.error?.message ?? `The search failed: the shop returned status ${response.status}.`)
return body
