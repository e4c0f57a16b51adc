import {checked} from '../rules/brokenRule.ts'
import type {Fields} from '../rules/tool.ts'
import {type Address, parseAddress} from './parts/address.ts'

/** A page that the visitor's browser goes to. */
export type LinkAction = {readonly kind: 'link'; readonly address: Address}

/** @throws BrokenRule */
export function parseLink(link: Fields): LinkAction {
  return {kind: 'link', address: checked('link.address', parseAddress(link.address))}
}
