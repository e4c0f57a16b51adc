import {setTimeout} from 'node:timers/promises'
import {processorTime} from '../../test/support/processes.ts'
import type {Run} from '../run.ts'
import {TYPED_SERIAL} from './content/drafts.ts'
import {publicIdOf} from './content/siteName.ts'
import {contestant} from './contestants.ts'
import type {Group} from './groups.ts'
import {startProgram} from './program.ts'
import {type Server, startBenchedService} from './servers.ts'
import {configPath, type Stage} from './stage.ts'

export const PREVIEWS_TITLE = 'Previews open: 100 tabs, each of which asks once a second'

const TABS = 100

const SITE = {tools: 10, bytes: 10_240}
const PATHS = 16

/** Time for all tabs to open, and for measuring what they cost without visitors, in milliseconds. */
const OPENING = 5_000
const ALONE = 5_000

/**
 * Compares what visitors cost a service with and without tabs that preview the visited site, in which nothing changes
 * or an editor types. What the tabs cost is measured before, subtracted, and part of the name of the row.
 * @returns the group, and a function that requires that the tabs got their drafts.
 */
export async function startPreviews(
  {service, cores}: Stage,
  run: Pick<Run, 'cleanup'>,
): Promise<{group: Group; verify(): Promise<void>}> {
  const start = async (serial: number) => {
    const previewed = await startBenchedService(cores, run, {SANITY_API_TOKEN: 'bench'})
    const args = [previewed.address, publicIdOf(SITE, serial), String(TABS)]
    return {previewed, tabs: await startProgram('tabs', {args, role: 'others', cores}, run)}
  }
  const unchanged = await start(0)
  const typedIn = await start(TYPED_SERIAL)
  await setTimeout(OPENING)
  const openedAt = performance.now()
  const visited = async (server: Server, serial: number, name: string, background = 0) => {
    const target = {path: configPath(SITE, '/page-{n}', serial), numbers: PATHS}
    return {...(await contestant(server, target, {name})), background}
  }
  const previewing = async ({previewed}: {previewed: Server}, serial: number, name: string) => {
    const before = await processorTime(previewed.pid)
    await setTimeout(ALONE)
    const background = ((await processorTime(previewed.pid)) - before) / (ALONE / 1_000)
    const cost = `${TABS} tabs for ${Math.round(background)} ms/s`
    return visited(previewed, serial, `service, ${cost}${name}`, background)
  }
  return {
    group: {
      title: PREVIEWS_TITLE,
      target: 1.1,
      contestants: () =>
        Promise.all([
          visited(service, 0, 'service, no previews'),
          previewing(unchanged, 0, ''),
          previewing(typedIn, TYPED_SERIAL, ', an editor types'),
        ]),
    },
    async verify() {
      const seconds = (performance.now() - openedAt) / 1_000
      for (const {tabs} of [unchanged, typedIn]) requireAnswers(await tabs.ask('statuses', OPENING), seconds)
    },
  }
}

/** The share of responses that may be errors, because a busy machine delays the simulated upstream for seconds. */
const MAY_FAIL = 0.05

/** @throws if the tabs were not served, or waited for seconds. */
function requireAnswers(statuses: unknown, seconds: number): void {
  const answers = Object.entries(statuses ?? {}).map(([status, number]) => ({status, number: Number(number)}))
  const sum = (from: typeof answers) => from.reduce((total, {number}) => total + number, 0)
  const served = sum(answers.filter(({status}) => status === '200' || status === '304'))
  if (served < (seconds * TABS) / 2 || served < sum(answers) * (1 - MAY_FAIL))
    throw new Error(`the tabs were not served, in ${seconds} s: ${JSON.stringify(statuses)}`)
}
