import {hash} from 'node:crypto'
import type {Document} from '../../content/document.ts'
import type {Principal} from '../access/principal.ts'
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
