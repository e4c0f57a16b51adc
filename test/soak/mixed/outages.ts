import {setTimeout} from 'node:timers/promises'
import {type Trouble, troubles} from '../../service/faults/troubles.ts'
import type {FaultyNetwork} from '../../support/network/network.ts'
import type {Random} from '../random.ts'

/** One outage, in milliseconds since 1970; has no end while it lasts. */
export type Outage = {name: string; start: number; end: number | undefined}

/** Time limit for a change to be visible, in milliseconds: with live events, and after an outage. */
const PROMISE = 10_000
const PROMISE_AFTER = 20_000

/**
 * How much older than its last possible validation a config may be, in milliseconds: the freshness lifetime.
 */
const FRESH = 60_000

const kinds: Record<string, Trouble['fault'] | 'live events cut'> = {
  ...Object.fromEntries(Object.entries(troubles).map(([name, {fault}]) => [name, fault])),
  'takes two seconds': {kind: 'slow', milliseconds: 2_000},
  'sends a few bytes at a time': {kind: 'trickle'},
  'sends no live events': 'live events cut',
}

/** The outages of the network between service and lake, and the delays they excuse. */
export class Outages {
  readonly #network: FaultyNetwork
  readonly #random: Random
  readonly all: Outage[] = []
  #left: string[] = []

  constructor(network: FaultyNetwork, random: Random) {
    this.#network = network
    this.#random = random
  }

  /** Breaks the network for some seconds once a minute until told to stop, cycling through all kinds. */
  async run(signal: AbortSignal): Promise<void> {
    await setTimeout(20_000, undefined, {signal})
    for (;;) {
      if (this.#left.length === 0) this.#left = this.#random.some(Object.keys(kinds), 100)
      const seconds = this.#random.between(4, 12)
      await this.#one(this.#left.pop() ?? '', seconds * 1_000, signal)
      await setTimeout((60 - seconds) * 1_000, undefined, {signal})
    }
  }

  async #one(name: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    const network = this.#network
    const fault = kinds[name] ?? 'unplugged'
    const outage: Outage = {name, start: Date.now(), end: undefined}
    this.all.push(outage)
    if (fault === 'unplugged') await network.unplug()
    else if (fault === 'live events cut') {
      network.liveFault = {kind: 'refuse'}
      network.cut()
    } else {
      network.fault = fault
      if (this.#random.chance(0.5)) {
        network.liveFault = fault
        network.cut()
      }
    }
    // On stop, it ends the current outage.
    await setTimeout(milliseconds, undefined, {signal}).catch(() => {})
    if (fault === 'unplugged') await network.plug()
    network.fault = {kind: 'none'}
    network.liveFault = {kind: 'none'}
    network.cut()
    outage.end = Date.now()
  }

  /** Whether there is an outage at a time, or was shortly before. */
  excuse(moment: number): Outage | undefined {
    return this.all.findLast(
      ({start, end = Number.POSITIVE_INFINITY}) => start <= moment && moment <= end + PROMISE_AFTER,
    )
  }

  /** Deadline for the visibility of a change acknowledged at a time. */
  deadline(acknowledged: number): number {
    return this.all.reduce(
      (deadline, {start, end = Number.POSITIVE_INFINITY}) =>
        start <= deadline && end + PROMISE_AFTER >= acknowledged
          ? Math.max(deadline, end + PROMISE_AFTER)
          : deadline,
      acknowledged + PROMISE,
    )
  }

  /** Maximum age of a config at a time, in milliseconds. */
  oldest(moment: number): number {
    const outage = this.excuse(moment)
    return FRESH + (outage ? moment - outage.start : 0)
  }
}
