import type {Fields} from '../../schemas/record.ts'
import {runningSiteOfPage} from '../running.ts'
import {addressesOf} from './addresses.ts'

/** Where the pages of a site are. */
export function addressesOfSite(site: Fields | null | undefined): string[] {
  return addressesOf(site?.publicId, site?.addresses, runningSiteOfPage())
}
