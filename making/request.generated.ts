// Written by `npm run typegen` from actions/code/request.ts. Change that, not this.
// @ts-nocheck

export const saidIn = (body) => {
  // The first problem of a list, or of an object with lists, and the field that it is about.
  const listed = [body?.detail, body?.message].filter(Array.isArray)
  const problems = [body?.errors, ...listed, Object.values(body ?? {}).every(Array.isArray) && body]
    .find((one) => one && typeof one === 'object') ?? {}
  const [key, error] = Object.entries(problems).flatMap(([key, one]) => [one].flat().map((each) => [key, each]))[0] ?? []
  const name = error?.msg ? [error.loc ?? error.path ?? []].flat().join('.') : Array.isArray(problems[key]) && key
  const field = name ? name + ': ' : ''
  const said = [error?.detail, error?.msg, error?.message, error?.title, error, body?.errors, body?.error?.message,
    body?.detail, body?.description, body?.message, body?.error_description, body?.error, body?.title]
    .find((text) => typeof text === 'string' && text !== '')
  const text = typeof said === 'string' && said ? (field + said).slice(0, 200).replace(/[\s\p{C}]+/gu, ' ').trim() : ''
  return text && `The website says: “${text}” `
}

// A number that JavaScript would round, such as a long identifier, becomes a text.
export const exact = (key, value, {source} = {}) =>
  !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value

// A text like the query of an address. What the agent leaves out is not in it.
export const queryOf = (pairs) => String(new URLSearchParams(
  pairs.flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
))

// What stands on the page now. It goes to the page's own website only, and is not kept.
export const fieldOf = (selector, attribute) => {
  const element = document.querySelector(selector)
  const value = attribute ? element?.getAttribute(attribute) : element?.value
  if (!value) throw new Error(`The page has no “${selector}”. Open another page of the website and try again.`)
  return value
}

// A cookie of the page now. It goes to the page's own website only, and is not kept.
export const cookieOf = (cookie) => {
  const value = document.cookie.split('; ').find((one) => one.startsWith(`${cookie}=`))?.slice(cookie.length + 1)
  if (!value) throw new Error(`The page has no cookie “${cookie}”. The visitor may have to sign in first.`)
  try { return decodeURIComponent(value) } catch { return value }
}
