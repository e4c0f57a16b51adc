import type {Document} from '../document.ts'
import {byId} from './bucket.ts'
import type {Compare} from './sortedList.ts'

/** What documents are ordered by. Those with equal keys are in the order of their `_id`. */
export type Order = {
  /** Identifies the order. */
  readonly name: string
  readonly keysOf: (document: Document) => readonly unknown[]
  readonly compareKeys: (a: readonly unknown[], b: readonly unknown[]) => number
}

/** Compares documents by an order. */
export function comparing({keysOf, compareKeys}: Order): Compare {
  return (a, b) => compareKeys(keysOf(a), keysOf(b)) || byId(a, b)
}
