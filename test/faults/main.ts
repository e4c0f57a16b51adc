import {join} from 'node:path'
import {unmetNeeds} from '../runner/needs.ts'
import {endingOf} from '../runner/selection.ts'
import type {Fault} from './fault.ts'
import {type Failure, firstFailure} from './firstFailure.ts'
import {FAULTS} from './table.ts'
import {testsOf} from './testsOf.ts'
import {WorkCopy} from './workCopy.ts'

// Plants one fault after the other in a copy of the work tree, and prints which test finds it: see README.md.

/** Milliseconds for one process of tests. A fault that makes tests hang is caught after this time. */
const UNIT_TIMEOUT = 4 * 60_000
const SYSTEM_TIMEOUT = 15 * 60_000

type Suite = 'unit' | 'system'
type Found = Failure & {readonly suite: Suite}

const words = process.argv.slice(2).map((word) => word.toLowerCase())
const isWanted = ({name, file}: Fault) =>
  words.every((word) => `${file} ${name}`.toLowerCase().includes(word))
const wanted = FAULTS.filter(isWanted)
const copy = new WorkCopy(join(import.meta.dirname, '../..'))
const counts = {unit: 0, system: 0, 'not caught': 0, error: 0}
/** Whether test files pass without a fault, by path. */
const passing = new Map<string, boolean>()

process.env.TMPDIR = copy.temporary
process.env.NODE_COMPILE_CACHE = join(copy.root, 'node_modules/.cache/tests')
process.once('exit', () => copy.remove())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

for (const fault of wanted) {
  const problem = copy.problemOf(fault)
  if (problem !== undefined) {
    counts.error += 1
    console.log(`error       ${fault.name}: ${problem}`)
    continue
  }
  const began = performance.now()
  const found = await search(fault)
  counts[found?.suite ?? 'not caught'] += 1
  const seconds = `${((performance.now() - began) / 1_000).toFixed(0)} s`
  const by = found && `${found.file}: ${found.test}${found.isTimeout ? ' (timeout)' : ''}`
  console.log(`${(found?.suite ?? 'not caught').padEnd(10)}  ${fault.name} (${fault.file}, ${seconds})`)
  if (by !== undefined) console.log(`            by ${by}`)
}
console.log(
  `\n${wanted.length} faults: ${counts.unit} caught by npm test, ${counts.system} by test:system only`,
)
console.log(`${counts['not caught']} not caught, ${counts.error} cannot be planted`)
if (wanted.length === 0 || counts.error > 0 || counts['not caught'] > 0) process.exitCode = 1

/** Runs the tests of a file until one finds the fault: units before others, those of the mirrored folder first. */
async function search(fault: Fault): Promise<Found | undefined> {
  const {mirrored, others} = testsOf(copy.root, fault.file)
  const unmet = unmetNeeds([...mirrored, ...others])
  for (const suite of ['unit', 'system'] as const) {
    for (const files of [mirrored, others]) {
      const ofSuite = files.filter(
        (path) => !unmet.has(path) && (endingOf(path) === undefined) === (suite === 'unit'),
      )
      const failure = await firstTrueFailure(fault, ofSuite, suite)
      if (failure !== undefined) return {...failure, suite}
    }
  }
  return undefined
}

/** The first failure that happens again with the fault, and not without it: tests may fail under load. */
async function firstTrueFailure(
  fault: Fault,
  files: readonly string[],
  suite: Suite,
): Promise<Failure | undefined> {
  const timeout = suite === 'unit' ? UNIT_TIMEOUT : SYSTEM_TIMEOUT
  const leftOut = new Set<string>()
  for (;;) {
    const usable = files.filter((file) => passing.get(file) !== false && !leftOut.has(file))
    if (usable.length === 0) return undefined
    const failure = await runWith(fault, usable, timeout)
    // A process that ended during no test names no file.
    if (failure === undefined || failure.isTimeout || !usable.includes(failure.file)) return failure
    const {file} = failure
    if (!passing.has(file)) passing.set(file, (await runWith(undefined, [file], timeout)) === undefined)
    if (passing.get(file) === true && (await runWith(fault, [file], timeout)) !== undefined) return failure
    leftOut.add(file)
    console.log(`            ${file} does not depend on the fault, and is left out`)
  }
}

async function runWith(
  fault: Fault | undefined,
  files: readonly string[],
  timeout: number,
): Promise<Failure | undefined> {
  const remove = fault && copy.plant(fault)
  try {
    return await firstFailure(copy.root, files, timeout)
  } finally {
    remove?.()
    copy.clean()
  }
}
