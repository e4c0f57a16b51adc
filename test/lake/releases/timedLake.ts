import type {TestContext} from 'node:test'
import type {LakeSettings} from '../../../lake/lakeSettings.ts'
import {eventually} from '../../support/eventually.ts'
import {documentAt} from '../support/mutate.ts'
import {runReviewLake} from '../write/reviews/reviewLake.ts'
import {release} from './releaseActions.ts'

const NOW = Date.now()
const HOUR = 3_600_000

/** Schedules a release for some hours after the start. */
export const schedule = (releaseId: string, hours: number, others: object = {}) =>
  release('schedule', releaseId, {publishAt: new Date(NOW + hours * HOUR).toISOString(), ...others})

/** A lake whose time passes when a test says so. */
export async function runTimedLake(t: TestContext, settings: Partial<LakeSettings> = {}) {
  let passed = 0
  const clock = {now: () => NOW + passed, monotonic: () => passed}
  const running = await runReviewLake(t, async () => Object.assign(settings, {clock}))
  const {lake, people} = running
  const find = (id: string) => documentAt(lake.address, id)
  return {
    ...running,
    find,
    readiness: async () => (await fetch(`${lake.address}/readyz`)).text(),
    /** Does actions, of which none may be refused. */
    done: people.publisher.did,
    nameOf: async (id: string) => (await find(id))?.name,
    wait(hours: number) {
      passed = hours * HOUR
    },
    /** Lets time pass until a release is due, and returns what became of it. */
    async pass(releaseId: string) {
      const {publishAt} = (await find(`_.releases.${releaseId}`)) ?? {}
      passed = Date.parse(String(publishAt)) - NOW
      const {state, error} =
        (await eventually(
          () => find(`_.releases.${releaseId}`),
          (document) => document?.state !== 'scheduled',
        )) ?? {}
      return {state, reason: JSON.stringify(error)}
    },
  }
}
