import {fuzz} from '../../fuzz/run/fuzz.ts'
import {privateLake, publicLake} from '../../fuzz/run/lakeTarget.ts'
import {summary} from '../../fuzz/run/report.ts'
import {service} from '../../fuzz/run/serviceTarget.ts'
import type {Run} from '../run.ts'
import {hold} from '../violation.ts'

/** What is fuzzed in turns: the lake as often as both others. */
const TARGETS = [publicLake, service, publicLake, privateLake]

/** Seconds of one seed, and for the smallest batch that shows a failure. */
const SECONDS = 60
const SHRINK_SECONDS = 20
const BATCHES = 500

/** `fuzz`: the fuzz of test/fuzz/, with a seed of its own in each turn. Goes on after a failure, to find others. */
export async function soakFuzz({minutes = 10, seed, elapsed}: Run): Promise<void> {
  hold(Number.isInteger(minutes) && minutes > 0, '--minutes is a whole number from 1 on')
  console.log(`fuzz: ${minutes} minutes of random requests to lake and service, seed ${seed}`)
  const end = performance.now() + minutes * 60_000
  const known = new Set<string>()
  let failures = 0
  for (let turn = 0; performance.now() < end; turn++) {
    const target = TARGETS[turn % TARGETS.length] ?? service
    const seconds = Math.min(SECONDS, Math.max(1, (end - performance.now()) / 1_000))
    const options = {seed: seed + turn, batches: BATCHES, seconds, shrinkSeconds: SHRINK_SECONDS, known}
    const report = await fuzz(target, options)
    console.log(`${elapsed()}: ${target.name}, seed ${seed + turn}: ${summary(report)}`)
    if (report.failure === undefined) continue
    failures += 1
    console.log(report.failure.message)
    for (const signature of report.failure.signatures) known.add(signature)
  }
  hold(failures === 0, `${failures} failures`)
  console.log(`neither lake nor service died, blocked or failed, ${elapsed()}`)
}
