/** Where `npm run service` answers, unless it is told another address. */
export const DEFAULT_SERVICE_ORIGIN = 'http://localhost:3000'

/** What the page of Studio calls it: whoever serves a built Studio knows where the service is, and need not build anew. */
export const SERVICE_ORIGIN_META = 'handrail-service-origin'

/** Without what else a URL's host may hold, such as `;`: it stands in policies and in tags. */
const PLAIN_ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/

/**
 * Reads where browsers reach the service from environment variables. Undefined: not set.
 * @throws Error with one line, where it is set to something that is no origin
 */
export function readServiceOrigin({
  SERVICE_ORIGIN: text,
}: Record<string, string | undefined>): string | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !PLAIN_ORIGIN.test(url.origin) || url.origin !== text.replace(/\/$/, '')) {
    throw new Error(
      `SERVICE_ORIGIN: "${text}" is not an address like https://tools.example or http://localhost:3000.`,
    )
  }
  return url.origin
}

/** What is added to the page of Studio, so that it finds the service and may call it. */
export function pageFor(serviceOrigin: string): {meta: Record<string, string>; connectTo: string[]} {
  return {meta: {[SERVICE_ORIGIN_META]: serviceOrigin}, connectTo: [serviceOrigin]}
}
