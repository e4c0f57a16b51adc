import {mkdtemp, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import fc from 'fast-check'
import {type Exchange, exchange} from '../wire/exchange.ts'
import {bytesOf, type FuzzRequest, shown} from '../wire/request.ts'
import {HealthWatch} from './healthWatch.ts'
import {judgeHealth, judgeLog, judgeProcess} from './judge.ts'
import type {RunningTarget, Target} from './target.ts'
import {Violation} from './violation.ts'

export type FuzzOptions = {
  readonly seed: number
  /** Replays one batch of the seed: what a failure printed as its path. */
  readonly path?: string | undefined
  /** Batches of requests. */
  readonly batches: number
  /** Stops after so many seconds, whatever the number of batches. */
  readonly seconds: number
  /** Seconds to search for the smallest batch that fails. */
  readonly shrinkSeconds: number
}

export type FuzzReport = {
  readonly batches: number
  readonly requests: number
  /** Responses by status; 0 is none in time, or none expected. */
  readonly statuses: ReadonlyMap<number, number>
  readonly seconds: number
  readonly peakMemory: number
  /** Maximum `/healthz` response time of another client, in milliseconds. */
  readonly longestWait: number
  readonly failure: FuzzFailure | undefined
}

type FuzzFailure = {readonly message: string}

/** A batch and what was wrong after it. */
type Failed = {readonly violations: readonly Violation[]; readonly batch: readonly FuzzRequest[]}

/** Milliseconds that a process may take to write why it aborts. */
const ABORT_PATIENCE = 1_000

/** Requests that are sent at once. */
const MAX_BATCH = 8

/** Fuzzes a server until a check fails. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const run = new FuzzRun(target)
  try {
    return await run.run(options)
  } finally {
    await run.close()
  }
}

class FuzzRun {
  readonly #target: Target
  #running: RunningTarget | undefined
  #health: HealthWatch | undefined
  #logSeen = 0
  #outputSeen = 0
  #deadline = Number.POSITIVE_INFINITY
  #batches = 0
  #requests = 0
  #longestWait = 0
  #peakMemory = 0
  readonly #statuses = new Map<number, number>()
  #last: Failed | undefined

  constructor(target: Target) {
    this.#target = target
  }

  async run({seed, path, batches, seconds, shrinkSeconds}: FuzzOptions): Promise<FuzzReport> {
    await this.#restart()
    const started = performance.now()
    const property = fc.asyncProperty(
      fc.array(this.#target.requests, {minLength: 1, maxLength: MAX_BATCH, size: 'max'}),
      (batch) => this.#try(batch),
    )
    this.#deadline = started + seconds * 1_000
    const replay = path === undefined ? {} : {path}
    const details = await fc.check(property, {seed, numRuns: batches, endOnFailure: true, ...replay})
    const measured = {
      batches: this.#batches,
      requests: this.#requests,
      statuses: new Map(this.#statuses),
      seconds: (performance.now() - started) / 1_000,
    }
    let failure: FuzzFailure | undefined
    if (details.failed && this.#last !== undefined) {
      const found = details.counterexamplePath ?? ''
      failure = await this.#minimize(property, this.#last, {seed, path: found, batches, shrinkSeconds})
    } else if (details.failed) throw details.errorInstance ?? new Error('the fuzz could not be run')
    return {...measured, peakMemory: this.#peakMemory, longestWait: this.#longestWait, failure}
  }

  /** Looks for the smallest batch that fails, and explains it. */
  async #minimize(
    property: fc.IAsyncProperty<[FuzzRequest[]]>,
    first: Failed,
    {
      seed,
      path,
      batches,
      shrinkSeconds,
    }: {seed: number; path: string; batches: number; shrinkSeconds: number},
  ): Promise<FuzzFailure> {
    this.#deadline = performance.now() + shrinkSeconds * 500
    const {failed, counterexamplePath} = await fc.check(property, {seed, path, numRuns: batches})
    let smallest = failed && this.#last !== undefined ? this.#last : first
    this.#deadline = performance.now() + shrinkSeconds * 500
    // The shrinker does not always get to the one request that matters.
    for (const request of smallest.batch) {
      if (smallest.batch.length === 1) break
      await this.#try([request]).catch((error: unknown) => {
        if (!(error instanceof Violation) || this.#last === undefined) throw error
        smallest = this.#last
      })
    }
    const {violations, batch} = smallest
    return {
      message: await this.#explain(violations, batch, seed, (failed && counterexamplePath) || path),
    }
  }

  async close(): Promise<void> {
    this.#health?.stop()
    const running = this.#running
    this.#running = undefined
    await running?.close()
  }

  async #restart(): Promise<RunningTarget> {
    await this.close()
    const running = await this.#target.start()
    this.#running = running
    this.#logSeen = running.server.log.length
    this.#outputSeen = running.server.output.length
    this.#health = await HealthWatch.start(running.server)
    return running
  }

  /** Sends a batch and checks the outcome. @throws Violation */
  async #try(batch: readonly FuzzRequest[]): Promise<void> {
    if (performance.now() > this.#deadline) return
    const running = this.#running ?? (await this.#restart())
    this.#batches += 1
    this.#requests += batch.length
    const address = await running.server.address
    const exchanges = await Promise.all(
      batch.map((request) => exchange(request, address, running.credentials)),
    )
    for (const {response} of exchanges) {
      const status = response?.status ?? 0
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    }
    const violations = await this.#violations(running, exchanges)
    // A dead or overloaded server must not make the next batch fail as well.
    if (violations.some(({isFatal}) => isFatal)) await this.close()
    if (violations[0] === undefined) return
    this.#last = {violations, batch}
    throw violations[0]
  }

  async #violations(running: RunningTarget, exchanges: readonly Exchange[]): Promise<Violation[]> {
    const {server} = running
    const probes = (await this.#health?.report()) ?? []
    // A process that aborts takes a moment to end.
    if (probes.some(({status}) => status === 0))
      await Promise.race([server.ended, setTimeout(ABORT_PATIENCE)]) // the server may never end
    for (const {waited, starved, baseline} of probes)
      this.#longestWait = Math.max(this.#longestWait, waited - starved - baseline)
    this.#peakMemory = Math.max(this.#peakMemory, await server.peakMemory())
    const lines = server.log.slice(this.#logSeen)
    const output = server.output.slice(this.#outputSeen)
    this.#logSeen += lines.length
    this.#outputSeen += output.length
    const checks = [
      () => judgeProcess(server),
      () => judgeHealth(probes),
      () => judgeLog(lines, output),
      ...exchanges.map((one) => () => this.#target.judge(one)),
      () => running.checkMeanwhile(),
    ]
    const violations: Violation[] = []
    for (const check of checks) {
      try {
        await check()
      } catch (error) {
        if (!(error instanceof Violation)) throw error
        violations.push(error)
        // All later violations are consequences.
        if (error.signature === 'died') break
      }
    }
    return violations
  }

  async #explain(
    violations: readonly Violation[],
    batch: readonly FuzzRequest[],
    seed: number,
    path: string,
  ): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'handrail-fuzz-'))
    for (const [number, request] of batch.entries())
      await writeFile(join(directory, `${number}.http`), await bytesOf(request, 'localhost', async () => []))
    return [
      ...violations.map(({message}) => `${this.#target.name}: ${message}`),
      `The smallest batch that was seen to show it (${batch.length} at once):`,
      ...batch.map(shown),
      `Bytes of the requests, without credentials: ${directory}`,
      `Replay: FUZZ_SEED=${seed} FUZZ_PATH=${path}; all that came before: FUZZ_SEED=${seed}`,
    ].join('\n')
  }
}
