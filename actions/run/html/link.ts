import {type AddressCall, addressOf} from '../address.ts'

/** Opens a page. */
export function runLink(call: AddressCall) {
  const address = addressOf(call)
  // The tool returns before the page is left. Otherwise the agent would get no result.
  setTimeout(() => location.assign(address), 100)
  return {opening: address.href}
}
