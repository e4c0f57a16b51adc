import type {CustomFetch} from 'openid-client'

/** Maximum bytes of a response of the provider. Its keys and metadata take a few kilobytes. */
const MAX_BYTES = 1024 * 1024

/**
 * Fetches from the provider, and refuses a response that is too long to be one.
 * @throws Error for a response of more than {@link MAX_BYTES}
 */
export const boundedFetch: CustomFetch = async (url, options) => {
  const {body = null, headers, method, redirect, signal} = options
  const response = await fetch(url, {
    body: body instanceof URLSearchParams || typeof body === 'string' ? body : null,
    headers,
    method,
    redirect,
    ...(signal !== undefined && {signal}),
  })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`the response of ${new URL(url).origin} is too long`)
    chunks.push(chunk)
  }
  const {status, statusText} = response
  const hasNoBody = [101, 204, 205, 304].includes(status)
  return new Response(hasNoBody ? null : Buffer.concat(chunks), {
    status,
    statusText,
    headers: response.headers,
  })
}
