import type {Versions} from '../../schemas/diagnosis/documents.ts'
import {runningSiteOfPage} from '../running.ts'
import {addressesOf} from './addresses.ts'

/** Where the pages of a site are, as its draft says, or else the published site. */
export function addressesOfSite(site: Versions | undefined): string[] {
  const document = site?.draft ?? site?.published
  return addressesOf(document?.publicId, document?.addresses, runningSiteOfPage())
}
