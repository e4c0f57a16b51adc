import {stop} from './outcome.ts'
import type {AddressPlan, Arguments, LinkPlan} from './plan.ts'
import {filled, type Reader, readerOf, type ValueReaders} from './values.ts'

/** The functions that an address needs. */
export type AddressFeatures = ValueReaders & {
  readonly fill?: (address: string, args: Arguments) => string
  readonly checkDates?: (plan: AddressPlan, args: Arguments) => void
}

/**
 * The address of a call.
 * @param own the origin of the page. In a frame without an address, such as one with srcdoc, it is "null".
 */
export function addressOf(
  plan: AddressPlan,
  {args, pairsOf}: Reader,
  own: string,
  {fill, checkDates}: AddressFeatures,
): URL {
  checkDates?.(plan, args)
  const {address, query, origin = own} = plan
  const url = new URL(fill?.(address, args) ?? address, origin)
  for (const [name, text] of pairsOf(query)) url.searchParams.append(name, text)
  return url
}

/** @throws Error with what the agent reads, if an argument is no date in the form that JSON Schema means */
export function checkDates({dates = []}: AddressPlan, args: Arguments): void {
  for (const name of dates) {
    const given = `${args[name] ?? '2000-01-01'}`
    if (!/^\d{4}-\d\d-\d\d$/.test(given))
      stop(`“${given.slice(0, 40)}” for “${name}” is not a date: write it like 2026-12-24.`)
  }
}

/** An address with arguments in it. @throws Error with what the agent reads */
export function fill(address: string, args: Arguments): string {
  return filled(address, (name) => {
    const text = `${args[name] ?? ''}`.toWellFormed()
    // Empty, or a dot, it would make another address of the one that the editor wrote (https://url.spec.whatwg.org/#path-state).
    return /^\.{0,2}$/.test(text)
      ? stop(`“${text}” for “${name}” cannot be a part of an address. Pass another value.`)
      : encodeURIComponent(text)
  })
}

/** What opening a page needs of the page. */
export type LinkHost = {readonly origin: string; readonly open: (address: URL) => void}

const NO_PAGE = {querySelector: () => null, cookie: ''}

/** Opens a page. */
export function runLink(
  plan: LinkPlan,
  args: Arguments,
  {origin, open}: LinkHost,
  features: AddressFeatures,
) {
  const address = addressOf(plan, readerOf(args, NO_PAGE, features), origin, features)
  // The tool returns before the page is left. Otherwise the agent would get no result.
  setTimeout(() => open(address), 100)
  return {opening: address.href}
}
