import {fuzz} from '../../fuzz/run/fuzz.ts'
import {lake, lakeOfStrangers} from '../../fuzz/run/lakeTarget.ts'
import {summary} from '../../fuzz/run/report.ts'
import {service} from '../../fuzz/run/serviceTarget.ts'
import type {Run} from '../run.ts'
import {hold} from '../violation.ts'

/** Fuzz targets in turn: the lake as often as both others together. */
const TARGETS = [lake, service, lake, lakeOfStrangers]

/** Seconds per seed, and for shrinking a failing batch. */
const SECONDS = 60
const SHRINK_SECONDS = 20
const BATCHES = 500

/** `fuzz`: runs test/fuzz/ with a new seed each turn. Continues after a failure to find others. */
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
