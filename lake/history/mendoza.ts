import {isDeepStrictEqual} from 'node:util'
import type {JsonObject} from '../../common/json.ts'
import type {Change, Document} from '../../content/document.ts'

/** A patch in the format of https://github.com/sanity-io/mendoza: opcodes, each followed by its operands. */
type MendozaPatch = readonly unknown[]

/** The patches from one state of a document to the next, and back. */
export type Effects = {readonly apply: MendozaPatch; readonly revert: MendozaPatch}

const VALUE = 0
const OBJECT_SET_FIELD_VALUE = 17
const OBJECT_DELETE_FIELD = 19

/** The patches of a change. Pass undefined for a state without a document. */
export function effectsOf(before: Document | undefined, after: Document | undefined): Effects {
  return {apply: encode(before, after), revert: encode(after, before)}
}

/** The mutation of a change: where only the states are known, as of a commit. */
export function mutationOf({id, before, after}: Change): {readonly [kind: string]: JsonObject} {
  if (after === undefined) return {delete: {id}}
  return before === undefined ? {create: after} : {createOrReplace: after}
}

/**
 * The patch that turns `before` into `after`. Sanity computes and applies patches on documents without
 * `_rev`: a deleted field is identified by its position among the keys, which `_rev` would shift. Fields are
 * replaced as a whole: such a patch is valid, and sufficient for our clients.
 */
function encode(before: Document | undefined, after: Document | undefined): MendozaPatch {
  if (after === undefined) return [VALUE, null]
  const to = withoutRevision(after)
  if (before === undefined) return [VALUE, to]
  const from = withoutRevision(before)
  const patch: unknown[] = []
  for (const [index, key] of Object.keys(from).sort().entries()) {
    if (!Object.hasOwn(to, key)) patch.push(OBJECT_DELETE_FIELD, index)
  }
  for (const [key, member] of Object.entries(to)) {
    const same = Object.hasOwn(from, key) && isDeepStrictEqual(from[key], member)
    if (!same) patch.push(OBJECT_SET_FIELD_VALUE, member, key)
  }
  return patch
}

function withoutRevision({_rev, ...content}: Document): {readonly [key: string]: unknown} {
  return content
}
