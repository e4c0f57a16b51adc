import {accept, type Parsed, refuse} from '../rules/parsed.ts'
import type {Address} from './parts/address.ts'
import type {ReadingAction} from './reading.ts'
import type {RequestAction} from './request.ts'

/** A page that the visitor's browser goes to. */
export type LinkAction = {readonly kind: 'link'; readonly address: Address}

/** What a tool does without a script of its own. */
export type Action = RequestAction | ReadingAction | LinkAction

/** The values of the field `action`. Each but `script` is also the name of the field that describes it. */
export const ACTION_KINDS = ['request', 'reading', 'link', 'script'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

/** What a tool does. A tool without a choice has a script. */
export function parseActionKind(value: unknown): Parsed<ActionKind> {
  if (value === undefined || value === null) return accept('script')
  const kind = ACTION_KINDS.find((known) => known === value)
  return kind === undefined ? refuse(`Choose what the tool does: ${ACTION_KINDS.join(', ')}.`) : accept(kind)
}
