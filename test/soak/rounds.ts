import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {fileTextOf} from '../../content/canonical.ts'
import {createRepository, type TestRepository, testRepository} from '../lake/support/git.ts'
import {find} from './api.ts'
import {checkFollowed, checkLog, checkRepository, checkState} from './check.ts'
import {Person} from './person.ts'
import {LakeProcess} from './process.ts'
import {Random} from './random.ts'
import {checkTotals, firstTally, Tally} from './tally.ts'
import {hold, Violation} from './violation.ts'
import {SoakWriter} from './writer.ts'

export type Summary = {readonly rounds: number; readonly transactions: number; readonly commits: number}

export type Plan = {
  readonly seed: number
  readonly rounds: number
  /** Publishes of one document in each round, in addition to the other load. */
  readonly burst?: number
  /** Reported after each round. */
  readonly progress?: (summary: Summary) => void
}

/** Time limit of a round on a slow machine, in milliseconds, without and with a whole burst. */
const patience = 5_000
const BURST_PATIENCE = 30_000

/**
 * Repeatedly kills a lake while two writers over HTTP and two people with Git work, and checks after each start that
 * nothing is lost. The same seed makes the same choices; the exact time of a kill depends on the machine.
 * @throws Violation that names the seed, and the repository that is kept for inspection
 */
export async function runRounds({seed, rounds, burst = 100, progress}: Plan): Promise<Summary> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-soak-'))
  const soak = new Soak(directory, seed, burst)
  try {
    await soak.begin()
    for (let round = 1; round <= rounds; round += 1) {
      await soak.round()
      progress?.(soak.summary(round))
    }
    await soak.end()
  } catch (error) {
    await soak.abandon()
    const reason = error instanceof Error ? error.message : String(error)
    const {log, said} = soak.lake ?? {log: [], said: []}
    throw new Violation(
      `seed ${seed}, after ${soak.kills} kills (the last one ${soak.manner}): ${reason}\n` +
        `the repository is left in ${directory}\nthe lake said ${JSON.stringify([...log, ...said])}`,
    )
  }
  await rm(directory, {recursive: true, force: true, maxRetries: 3})
  return soak.summary(rounds)
}

class Soak {
  readonly #repository: TestRepository
  readonly #environment: {readonly [name: string]: string}
  readonly #random: Random
  readonly #writers: readonly SoakWriter[]
  readonly #people: readonly Person[]
  /** They count without a pause, all at once. */
  readonly #burst: readonly Tally[]
  readonly #burstSize: number
  #counted = 0
  lake: LakeProcess | undefined
  kills = 0
  manner = 'none'

  constructor(directory: string, seed: number, burst: number) {
    this.#burstSize = burst
    this.#repository = testRepository(join(directory, 'content.git'))
    this.#environment = {
      CONTENT_DIR: this.#repository.directory,
    }
    this.#random = new Random(seed)
    this.#burst = ['five', 'six', 'seven', 'eight'].map(
      (name, index) => new Tally(name, new Random(seed * 10 + 4 + index)),
    )
    this.#writers = ['one', 'two'].map((name, index) => new SoakWriter(name, new Random(seed * 10 + index)))
    this.#people = ['three', 'four'].map(
      (name, index) => new Person(name, this.#repository, directory, new Random(seed * 10 + 8 + index)),
    )
  }

  summary(rounds: number): Summary {
    const transactions = [...this.#writers, ...this.#burst].reduce(
      (sum, {acknowledged}) => sum + acknowledged,
      0,
    )
    return {rounds, transactions, commits: this.#people.reduce((sum, {commits}) => sum + commits, 0)}
  }

  async begin(): Promise<void> {
    await createRepository(this.#repository.directory)
    const first = {'tally/tally.json': fileTextOf(firstTally)}
    for (const person of this.#people) await person.begin(first)
    await this.#start().address
  }

  /** Writes to the running lake, kills it, starts the next one and checks its content. */
  async round(): Promise<void> {
    const random = this.#random
    const {lake} = this
    if (lake === undefined) throw new Error('no lake runs')
    const address = await lake.address
    let killed = false
    const stop = new AbortController()
    const writing = this.#writers.map(async (writer) => {
      await writer.run(address)
      hold(killed, 'a request got no response while the lake was running')
    })
    const people = this.#people.filter(() => random.chance(0.5)).map((person) => person.run(stop.signal))
    const bursting = this.#runBurst(address)
    const work = Promise.all([...writing, ...people, bursting])
    // Kills after a whole burst, too.
    const moment = random.chance(0.5)
      ? this.#randomMoment()
      : Promise.race([bursting, setTimeout(BURST_PATIENCE, undefined, {ref: false})]).then(() =>
          setTimeout(random.next() * 40),
        )
    await Promise.race([moment, work])
    killed = true
    await this.#kill(lake, 'while it was written to')
    stop.abort()
    checkLog(lake)
    // A lock of a killed Git process may block people until the next lake has started.
    const between = random.chance(0.3)
      ? work.then(() => Promise.all(this.#people.map((person) => person.commit())))
      : work
    while (random.chance(0.15)) {
      const starting = this.#start()
      await setTimeout(random.between(0, 700))
      await this.#kill(starting, 'while it started')
    }
    const next = this.#start()
    await Promise.all([next.address, between])
    await this.#check(next)
  }

  /** Stops the lake gracefully. */
  async end(): Promise<void> {
    await this.lake?.stop()
  }

  /** Kills remaining processes. */
  async abandon(): Promise<void> {
    await this.lake?.kill(true)
  }

  /**
   * Counts until a burst is acknowledged or the lake stops responding.
   * @throws Violation
   */
  async #runBurst(address: string): Promise<void> {
    let left = this.#burstSize
    const counting = this.#burst.map(async (tally) => {
      for (; left > 0; left -= 1) await tally.count(address, `burst.${++this.#counted}`)
    })
    for (const result of await Promise.allSettled(counting))
      if (result.status === 'rejected' && result.reason instanceof Violation) throw result.reason
  }

  #start(): LakeProcess {
    this.lake = new LakeProcess(this.#environment)
    return this.lake
  }

  /** After some responses, so that a slow machine gets as far as a fast one, and then at a random time. */
  async #randomMoment(): Promise<void> {
    const {transactions} = this.summary(0)
    const answers = transactions + this.#random.between(0, this.#random.chance(0.5) ? 10 : 200)
    const latest = performance.now() + patience
    while (this.summary(0).transactions < answers && performance.now() < latest) await setTimeout(1)
    await setTimeout(this.#random.next() * 40)
  }

  async #kill(lake: LakeProcess, when: string): Promise<void> {
    const whole = this.#random.chance(0.5)
    this.manner = `${when}, ${whole ? 'with its Git processes' : 'alone'}`
    await lake.kill(whole)
    this.kills += 1
    await checkState(this.#repository)
  }

  async #check(lake: LakeProcess): Promise<void> {
    const address = await lake.address
    await checkFollowed(this.#repository, address)
    const documents = await find(address, '*')
    for (const writer of this.#writers) writer.check(documents)
    const all = [...this.#burst, ...this.#writers.map(({tally}) => tally)]
    const tallies = new Map([...documents].filter(([, {_type}]) => _type === 'tally'))
    for (const tally of all) tally.check(tallies)
    checkTotals(
      tallies,
      all.map(({name}) => name),
    )
    await checkRepository(this.#repository, documents)
    for (const person of this.#people) await person.check()
    checkLog(lake)
  }
}
