import {jsonIn} from '../../common/json.ts'
import {CONFIRMED_STEPS, type StepId} from './nextSteps.ts'

type Items = Pick<Storage, 'getItem' | 'setItem'>

/** The steps of a site that somebody confirmed in this browser. */
export function confirmedSteps(siteId: string, storage: Items): Set<StepId> {
  const stored = jsonIn(storage.getItem(keyOf(siteId)) ?? '')
  return new Set(CONFIRMED_STEPS.filter((step) => Array.isArray(stored) && stored.includes(step)))
}

/** Remembers that a step is done. */
export function confirmStep(siteId: string, step: StepId, storage: Items): void {
  storage.setItem(keyOf(siteId), JSON.stringify([...confirmedSteps(siteId, storage), step]))
}

function keyOf(siteId: string): string {
  return `handrail.steps.${siteId}`
}
