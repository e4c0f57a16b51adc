/** The default address of `npm run service`. */
export const DEFAULT_SERVICE_ORIGIN = 'http://localhost:3000'

/**
 * The name of the page's meta element with the service's origin. The server of a built Studio sets it, so
 * Studio need not be rebuilt.
 */
export const SERVICE_ORIGIN_META = 'handrail-service-origin'

/** The name of the page's meta element with the public ID and the address of a site that runs on this machine. */
export const RUNNING_SITE_META = 'handrail-running-site'

/** A site, and where its pages are. */
export type RunningSite = {publicId: string; address: string}

/**
 * Excludes other characters that a URL's host may contain, such as `;`, because it is used in policies and in
 * tags.
 */
const PLAIN_ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/

/**
 * Reads the public origin of the service from environment variables. Undefined: not set.
 * @throws Error with one line if the value is not an origin
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

/**
 * What to add to Studio's page so that it finds the service and may call it.
 * @param running a site whose address depends on settings, such as the demo shop
 */
export function pageFor(
  serviceOrigin: string,
  running?: RunningSite,
): {meta: Record<string, string>; connectTo: string[]} {
  return {
    meta: {
      [SERVICE_ORIGIN_META]: serviceOrigin,
      ...(running && {[RUNNING_SITE_META]: `${running.publicId} ${running.address}`}),
    },
    connectTo: [serviceOrigin],
  }
}
