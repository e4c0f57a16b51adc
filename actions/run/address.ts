import type {AddressPlan, Arguments} from './plan.ts'
import {stop} from './said.ts'
import {filled, pairsOf, type ValueCall, type ValueReaders} from './values.ts'

/** The functions that an address needs. */
export type AddressFeatures = ValueReaders & {
  readonly filledIn?: (address: string, args: Arguments) => string
  readonly addQuery?: (url: URL, call: AddressCall) => void
  readonly checkDates?: (plan: AddressPlan, args: Arguments) => void
}

/** A call, as far as its address needs it. */
export type AddressCall = AddressPlan & AddressFeatures & ValueCall

/** In a frame without an address, such as one with srcdoc, the origin of `location` is "null". */
declare const self: {readonly origin: string}

/** The address of a call. */
export function addressOf(call: AddressCall): URL {
  const {args, address} = call
  call.checkDates?.(call, args)
  const url = new URL(call.filledIn?.(address, args) ?? address, call.origin ?? self.origin)
  call.addQuery?.(url, call)
  return url
}

/** Adds what is asked of the query. */
export function addQuery(url: URL, call: AddressCall): void {
  for (const [name, text] of pairsOf(call.query, call)) url.searchParams.append(name, text)
}

/** @throws Error with what the agent reads, if an argument is not a date in the form that JSON Schema means */
export function checkDates({dates = []}: AddressPlan, args: Arguments): void {
  for (const name of dates) {
    const given = `${args[name] ?? '2000-01-01'}`
    if (!/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(given))
      stop(`“${given.slice(0, 40)}” for “${name}” is not a date: write it like 2026-12-24.`)
  }
}

/** An address with arguments in it. @throws Error with what the agent reads */
export function fill(address: string, args: Arguments): string {
  return filled(address, (name) => {
    const text = `${args[name] ?? ''}`.toWellFormed()
    // Empty, or a dot, it would make another address of the one that the editor wrote (https://url.spec.whatwg.org/#path-state).
    return /^\.{0,2}$/.test(text)
      ? stop(`“${text}” for “${name}” cannot be a part of an address.`)
      : encodeURIComponent(text)
  })
}
