import type {Versions} from '../../schemas/diagnosis/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {addressesOf} from './addresses.ts'
import {runningSiteOfPage} from './page.ts'

/** Where the pages of a site are, as its draft says, or else the published site. */
export function addressesOfSite(site: Versions | undefined): string[] {
  const document = site?.draft ?? site?.published
  return addressesOf(textOf(document?.publicId), document?.addresses, runningSiteOfPage())
}
