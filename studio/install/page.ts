import {SERVICE_ORIGIN_META} from '../serviceOrigin.ts'

/** Where the service is, as the page that serves Studio says. Undefined where it does not, or there is no page. */
export function serviceOriginOfPage(): string | undefined {
  if (typeof document === 'undefined') return undefined
  const meta = document.querySelector(`meta[name="${SERVICE_ORIGIN_META}"]`)
  return meta?.getAttribute('content') ?? undefined
}
