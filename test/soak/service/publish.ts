import {setTimeout} from 'node:timers/promises'
import {hold} from '../violation.ts'
import {startStage} from './stage.ts'
import {Visitor} from './visitor.ts'

export type PublishPlan = {
  publishes: number
  /** Whether live events arrive; otherwise only validation finds a change. */
  isLive: boolean
  progress: (publishes: number) => void
}

/** Polling interval of the service, in milliseconds. */
const LOOK_EVERY = 2

/**
 * Publishes repeatedly, and measures the time from the lake's acknowledgement until the service shows the
 * change: milliseconds.
 * @throws Violation if a change does not show, or an older config comes back.
 */
export async function publishAndLook({publishes, isLive, progress}: PublishPlan): Promise<number[]> {
  const stage = await startStage(20)
  const visitor = new Visitor(stage.serviceAddress)
  const times: number[] = []
  try {
    if (!isLive) {
      stage.network.liveFault = {kind: 'refuse'}
      stage.network.cut()
    }
    for (let number = 1; number <= publishes; number++) {
      const site = number % stage.publicIds.length
      const publicId = stage.publicIds[site] ?? ''
      const description = `Edition ${number}.`
      // A random time, independent of the validation interval.
      await setTimeout(isLive ? 5 : Math.random() * 5_000)
      await stage.client.patch(`tool-${site}`).set({description}).commit()
      const acknowledged = performance.now()
      for (;;) {
        const {status, body} = await visitor.ask(publicId)
        hold(status === 200, `${publicId} returned ${status}`)
        if (body.includes(description)) break
        hold(performance.now() - acknowledged < 60_000, `${description} did not show within a minute`)
        await setTimeout(LOOK_EVERY)
      }
      times.push(performance.now() - acknowledged)
      const {body} = await visitor.ask(publicId)
      hold(body.includes(description), `${description} showed, and then an older one`)
      progress(number)
    }
    return times
  } finally {
    visitor.close()
    await stage.close()
  }
}
