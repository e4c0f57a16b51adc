import {SERVICE_ORIGIN_META} from '../serviceOrigin.ts'

/**
 * The service's origin, from the page that serves Studio. Undefined if it does not say, or there is no page.
 */
export function serviceOriginOfPage(): string | undefined {
  if (typeof document === 'undefined') return undefined
  const meta = document.querySelector(`meta[name="${SERVICE_ORIGIN_META}"]`)
  return meta?.getAttribute('content') ?? undefined
}
