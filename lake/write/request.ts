import {hash} from 'node:crypto'
import type {Document} from '../../content/document.ts'
import {minFileSize} from '../../content/size.ts'
import type {Principal} from '../access/principal.ts'
import {refuse} from './errors.ts'
import type {Action} from './transaction/action.ts'
import type {Mutation} from './transaction/mutation.ts'
import type {Effect} from './transaction/workspace.ts'

/** A transaction: mutations or actions, all or nothing. */
export type Request = ({readonly mutations: readonly Mutation[]} | {readonly actions: readonly Action[]}) & {
  readonly transactionId?: string | undefined
  readonly principal: Principal
  /** Returns the result without saving anything. */
  readonly dryRun?: boolean
  /** Whether it follows from a merge at the Git host. */
  readonly isMerged?: true
  /** Whether the response contains the documents. */
  readonly returnsDocuments?: boolean
}

/** The actions of a request; none if it has mutations. */
export function actionsOf(request: Request): readonly Action[] {
  return 'actions' in request ? request.actions : []
}

/** The names of the releases that a request publishes. */
export function publishedReleases(request: Request): string[] {
  return actionsOf(request).flatMap((action) => (action.kind === 'release.publish' ? [action.release] : []))
}

/** The effects on each document, and the documents in their new state. */
export type Result = {
  readonly transactionId: string
  readonly effects: readonly Effect[]
  readonly documents: ReadonlyMap<string, Document | undefined>
}

/** Identifies a retried request: a digest of its sender and its content. */
export function digestOf(request: Request): string {
  const steps = 'mutations' in request ? {mutations: request.mutations} : {actions: request.actions}
  return hash('sha256', JSON.stringify([request.principal.id, steps]), 'base64url')
}

/** Maximum megabytes of documents in one response. */
const MAX_MEGABYTES = 16

/**
 * Refuses a response that is too large: it repeats a document for every mutation of that document.
 * @throws RefusedError
 */
export function checkReturned(
  effects: readonly Effect[],
  documents: ReadonlyMap<string, Document | undefined>,
): void {
  const most = MAX_MEGABYTES * 1024 * 1024
  const sizes = new Map(Array.from(documents, ([id, document]) => [id, minFileSize(document, most)]))
  let bytes = 0
  for (const {id} of effects) bytes += sizes.get(id) ?? 0
  if (bytes <= most) return
  throw refuse.malformed(
    `The documents of this transaction exceed ${MAX_MEGABYTES} MB: send it without "returnDocuments"`,
  )
}
