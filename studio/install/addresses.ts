import {parseAddress} from '../../schemas/rules/origin.ts'
import type {RunningSite} from '../serviceOrigin.ts'

/** The address that the demo shop's content has. With another `SHOP_PORT`, nothing is there. */
const DEFAULT_SHOP_ADDRESS = 'http://127.0.0.1:3001'

/** Where the pages of a site are: on this machine, and the valid ones of its addresses. */
export function addressesOf(
  publicId: string,
  addresses: unknown,
  running: RunningSite | undefined,
): string[] {
  const listed = Array.isArray(addresses) ? addresses : []
  const all =
    running?.publicId === publicId
      ? [running.address, ...listed.filter((address) => address !== DEFAULT_SHOP_ADDRESS)]
      : listed
  const parsed = all.map(parseAddress)
  return [...new Set(parsed.flatMap((address) => (address.ok ? [address.value] : [])))]
}
