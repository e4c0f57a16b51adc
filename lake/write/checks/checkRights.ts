import {type Change, type Document, labelOf} from '../../../content/document.ts'
import {isPublishedId, versionedId} from '../../../content/ids.ts'
import type {DocumentStore} from '../../../content/store.ts'
import type {DocumentRights} from '../../access/documentRights.ts'
import type {Principal} from '../../access/principal.ts'
import type {DocumentPermission} from '../../access/rights/grants.ts'
import {refuse} from '../errors.ts'
import type {Held} from '../releaseSteps.ts'
import type {TimeSlices} from '../timeSlices.ts'
import {titleOf} from '../transaction/releases/release.ts'

/** A state of a document, and the permission on it that a change requires. */
type Requirement = readonly [permission: DocumentPermission, state: Document]

type CheckRightsOptions = {
  readonly rights: DocumentRights
  /** The documents as of before the changes. */
  readonly store: DocumentStore
  readonly slices: TimeSlices
}

/**
 * Checks that a principal may change documents, by the rights that it has now: it needs a permission on each
 * of them before and after.
 * @param changed the new states; undefined for deleted documents
 * @throws RefusedError 403
 */
export async function checkRights(
  changed: ReadonlyMap<string, Document | undefined>,
  by: Principal,
  {rights, store, slices}: CheckRightsOptions,
): Promise<void> {
  const principal = rights.current(by)
  const own = rights.rightsOf(principal)
  for (const [id, after] of changed) {
    const change = {id, before: store.get(id), after}
    for (const [permission, state] of requirementsOf(change, store)) {
      if (own.may(permission, state)) continue
      const advice = rights.advice(principal, state)
      throw refuse.notAllowed(id, permission, `You may not ${actionOf(change)}. ${advice}`)
    }
    await slices.turn()
  }
}

/**
 * Checks that a principal may change all that is in the releases that a transaction changes or adds to: a release belongs to those
 * whose documents are in it.
 * @throws RefusedError 403
 */
export async function checkHeld(
  held: readonly Held[],
  by: Principal,
  {rights, store, slices}: CheckRightsOptions,
): Promise<void> {
  const principal = rights.current(by)
  const own = rights.rightsOf(principal)
  for (const {release, document} of held) {
    const change = {id: document._id, before: store.get(document._id), after: document}
    for (const [permission, state] of requirementsOf(change, store)) {
      if (own.may(permission, state)) continue
      const advice = rights.advice(principal, state)
      const what = `change the release “${titleOf(release)}”, which has ${state._type} "${labelOf(state)}" in it`
      throw refuse.notAllowed(release._id, permission, `You may not ${what}. ${advice}`)
    }
    await slices.turn()
  }
}

function requirementsOf({id, before, after}: Change, store: DocumentStore): Requirement[] {
  // Otherwise an author of one site could draft a change to a document of another one, or add a version of it to a
  // release, which a person with rights for both might publish by mistake.
  const baseId = versionedId(id)
  const base = baseId === undefined ? undefined : store.get(baseId)
  return [
    ...(before === undefined ? [] : [['update', before] as const]),
    ...(after === undefined ? [] : [[before === undefined ? 'create' : 'update', after] as const]),
    ...(base === undefined ? [] : [['update', {...base, _id: id}] as const]),
  ]
}

/** A change in words, such as `publish tool "search"`. */
function actionOf({id, before, after}: Change): string {
  const document = after ?? before
  const name = document === undefined ? id : `${document._type} "${labelOf(document)}"`
  if (!isPublishedId(id)) return `${after === undefined ? 'discard' : 'change'} the draft of ${name}`
  return `${after === undefined ? 'unpublish or delete' : 'publish'} ${name}`
}
