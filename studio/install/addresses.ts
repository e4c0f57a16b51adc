import {parseAddress} from '../../schemas/rules/origin.ts'
import type {RunningSite} from '../serviceOrigin.ts'

/** Where the pages of a site are: on this machine, and the valid ones of its addresses. */
export function addressesOf(
  publicId: unknown,
  addresses: unknown,
  running: RunningSite | undefined,
): string[] {
  const listed = Array.isArray(addresses) ? addresses : []
  const all = running?.publicId === publicId ? [running?.address, ...listed] : listed
  const parsed = all.map(parseAddress)
  return [...new Set(parsed.flatMap((address) => (address.ok ? [address.value] : [])))]
}
