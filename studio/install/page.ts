import type {Versions} from '../../schemas/diagnosis/documents.ts'
import {RUNNING_SITE_META, type RunningSite, SERVICE_ORIGIN_META} from '../serviceOrigin.ts'
import {addressesOf} from './addresses.ts'

/**
 * The service's origin, from the page that serves Studio. Undefined if it does not say, or there is no page.
 */
export function serviceOriginOfPage(): string | undefined {
  return metaOfPage(SERVICE_ORIGIN_META)
}

/** The site that the server of Studio runs too. Undefined if there is none. */
export function runningSiteOfPage(): RunningSite | undefined {
  const [publicId, address] = metaOfPage(RUNNING_SITE_META)?.split(' ') ?? []
  return publicId === undefined || address === undefined ? undefined : {publicId, address}
}

/** Where the pages of a site are, as its draft says, or else the published site. */
export function addressesOfSite(site: Versions | undefined): string[] {
  const document = site?.draft ?? site?.published
  return addressesOf(document?.publicId, document?.addresses, runningSiteOfPage())
}

function metaOfPage(name: string): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined
}
