import type {Document} from '../../content/document.ts'
import {type Group, type Line, revisionsOf, States} from './groupTimeline.ts'
import {type Effects, effectsOf, mutationOf} from './mendoza.ts'
import type {Revision} from './revisions.ts'

/** Moments whose documents are read at once: each may hold a document of 5 MB. */
const READ_AT_ONCE = 10

/** Which transactions to return. Ranges include their ends. */
export type Selection = {
  readonly fromTransaction?: string | undefined
  readonly toTransaction?: string | undefined
  /** The latest first. */
  readonly reverse: boolean
  readonly limit: number
}

/** A transaction, and what it did to the requested documents. */
export type TransactionEntry = {
  readonly id: string
  readonly timestamp: string
  readonly author: string
  readonly documentIDs: readonly string[]
  readonly effects: Readonly<Record<string, Effects>>
  readonly mutations: readonly ReturnType<typeof mutationOf>[]
}

type Part = {readonly group: Group; readonly lines: readonly Line[]; readonly index: number}
type Found = {
  readonly id: string
  readonly timestamp: string
  readonly author: string
  readonly parts: Part[]
}

/** The transactions of some groups that match a selection. */
export async function* transactionsOf(
  groups: ReadonlyMap<Group, readonly Line[]>,
  selection: Selection,
  read: (revisions: Set<Revision>) => Promise<ReadonlyMap<Revision, Document>>,
): AsyncGenerator<TransactionEntry> {
  const selected = select(inOrder(groups), selection)
  let told = 0
  for (let start = 0; start < selected.length && told < selection.limit; start += READ_AT_ONCE) {
    const batch = selected.slice(start, start + READ_AT_ONCE)
    const revisions = new Set(
      batch.flatMap(({parts}) =>
        parts.flatMap(({group, index}) => [...revisionsOf(group, index, index + 1)]),
      ),
    )
    const documents = await read(revisions)
    for (const found of batch) {
      const entry = entryOf(found, documents)
      if (entry === undefined) continue
      yield entry
      told += 1
      if (told === selection.limit) return
    }
  }
}

/** All transactions, the oldest first. One that changed several groups appears once. */
function inOrder(groups: ReadonlyMap<Group, readonly Line[]>): Found[] {
  const found = new Map<string, Found>()
  for (const [group, lines] of groups) {
    for (const [index, {id, timestamp, author, revision, step}] of group.moments.entries()) {
      const touches = lines.some(({kind}) => kind === 'seen' || (kind === 'published' ? revision : step))
      if (!touches) continue
      const known = found.get(id) ?? {id, timestamp, author, parts: []}
      known.parts.push({group, lines, index})
      found.set(id, known)
    }
  }
  const all = [...found.values()]
  // Within one group, the order is more exact than the times.
  return groups.size > 1 ? all.sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp)) : all
}

function select(all: readonly Found[], {fromTransaction, toTransaction, reverse}: Selection): Found[] {
  const from = fromTransaction === undefined ? 0 : all.findIndex(({id}) => id === fromTransaction)
  const to = toTransaction === undefined ? all.length - 1 : all.findIndex(({id}) => id === toTransaction)
  // A range that starts at an unknown transaction is empty.
  if (from === -1) return []
  const found = all.slice(from, to + 1)
  return reverse ? found.reverse() : found
}

function entryOf(
  {id, timestamp, author, parts}: Found,
  documents: ReadonlyMap<Revision, Document>,
): TransactionEntry | undefined {
  const effects: Record<string, Effects> = {}
  const mutations: ReturnType<typeof mutationOf>[] = []
  for (const {group, lines, index} of parts) {
    const states = new States(group, documents)
    for (const line of lines) {
      const change = states.change(line, index)
      if (change === undefined) continue
      effects[line.id] = effectsOf(change.before, change.after)
      mutations.push(mutationOf(change))
    }
  }
  const documentIDs = Object.keys(effects)
  return documentIDs.length === 0 ? undefined : {id, timestamp, author, documentIDs, effects, mutations}
}
