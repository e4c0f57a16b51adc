import {defineField} from '@sanity/types'
import type {ActionKind} from '../actions/action.ts'
import {problemOfAction} from '../actions/problem.ts'
import type {Context} from '../query.ts'

/** The document that a field is shown in. */
export type Shown = {readonly document?: {readonly [field: string]: unknown} | undefined}

/** Whether a document does something else, so that a field of another action is not shown. */
export function doesNot(kind: ActionKind): (context: Shown) => boolean {
  return ({document}) => document?.action !== kind
}

/** What is wrong with an action, at the part of it. */
export function keepsAction(kind: ActionKind) {
  return (_value: unknown, {document}: Context) => {
    const problem = document?.action === kind ? problemOfAction(document) : undefined
    const [field, ...path] = problem?.path ?? []
    return problem === undefined || field !== kind || {message: problem.message, path}
  }
}

/** A text for the case that there is nothing. */
export const nothing = (description: string) =>
  defineField({name: 'nothing', type: 'string', title: 'If there is nothing', description})

/** How many entries are returned. */
export const limit = (title: string) => defineField({name: 'limit', type: 'number', title})
