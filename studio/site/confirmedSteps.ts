import {jsonIn} from '../../common/json.ts'
import {CONFIRMED_STEPS, type StepId} from './nextSteps.ts'

/** What people said is done, in this browser. */
const KEY = 'handrail.steps'

/** Maximum entries to remember. */
const MAX_ENTRIES = 200

type Items = Pick<Storage, 'getItem' | 'setItem'>

/** The steps of a site that somebody confirmed in this browser. */
export function confirmedSteps(siteId: string, storage: Items): Set<StepId> {
  const entries = read(storage)
  return new Set(CONFIRMED_STEPS.filter((step) => entries.includes(entryOf(siteId, step))))
}

/** Remembers that a step is done. */
export function confirmStep(siteId: string, step: StepId, storage: Items): void {
  const entry = entryOf(siteId, step)
  const others = read(storage).filter((one) => one !== entry)
  storage.setItem(KEY, JSON.stringify([...others, entry].slice(-MAX_ENTRIES)))
}

function entryOf(siteId: string, step: StepId): string {
  return `${siteId} ${step}`
}

function read(storage: Items): string[] {
  const stored = jsonIn(storage.getItem(KEY) ?? '')
  return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
}
