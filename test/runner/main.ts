import {existsSync} from 'node:fs'
import {mkdtemp, rm, statfs} from 'node:fs/promises'
import {availableParallelism, freemem, tmpdir} from 'node:os'
import {join} from 'node:path'
import {run} from 'node:test'
import {spec} from 'node:test/reporters'
import {parseArgs} from 'node:util'
import {groupsOf, type TestGroup} from './groups.ts'
import {unmetNeeds} from './needs.ts'
import {IS_DEEP} from './runs.ts'
import {changedSince, selectTests} from './selection.ts'

// Runs tests in a handful of processes: see "Tests" in CONTRIBUTING.md for what it takes.
const ROOT = join(import.meta.dirname, '../..')

/** A file system in memory: tests write thousands of commits, and on a disk they take a tenth longer. */
const MEMORY = '/dev/shm'

/** Bytes that must be free in it. All tests together need a tenth. */
const ROOM = 4 * 2 ** 30

/** Milliseconds without a test that begins or ends after which a process hangs: on a busy machine, all tests may take hours. */
const MAX_SILENCE = (IS_DEEP ? 60 : 15) * 60_000

const HELP = `Usage: npm test -- [FILE OR FOLDER…] [OPTIONS]

A file that is named runs whatever its suite.

  --all               every suite, --system: tests that need more than Node and Git
  --changed [COMMIT]  tests that import what differs from a commit (default: HEAD)
  --bail              stop at the first failure

SEED=1 replays a property, and CI_DEEP=1 runs properties longer.
`

/** Files that are printed at the end. */
const SLOWEST = 5

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    help: {type: 'boolean', default: false},
    system: {type: 'boolean', default: false},
    all: {type: 'boolean', default: false},
    changed: {type: 'boolean', default: false},
    bail: {type: 'boolean', default: false},
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const suite = values.all ? 'all' : values.system ? 'system' : 'unit'
const changed = values.changed ? await changedSince(ROOT, positionals[0] ?? 'HEAD') : undefined
const selected = selectTests(ROOT, {suite, changed, paths: changed === undefined ? positionals : []})

const missing = unmetNeeds(selected)
for (const message of new Set([...missing.values()].map(({message}) => message))) console.log(message)
const files = selected.filter((file) => !missing.has(file))
// In CI, a program that is missing would hide what its tests find.
const isIncomplete = process.env.CI !== undefined && [...missing.values()].some(({isRequired}) => isRequired)

// Node strips the types itself, and keeps what it compiled: starting a process costs half as much as with tsx.
process.env.NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/tests')

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())
const folder = await mkdtemp(join((await hasRoomInMemory()) ? MEMORY : tmpdir(), 'handrail-'))
process.env.TMPDIR = folder
// Its processes share there what one of them has built.
process.env.RUN_FOLDER = folder
const waiting = groupsOf(files)
const isDetailed = positionals.length > 0
const durations = new Map<string, number>()
const skipped: string[] = []
let passed = 0
let failed = 0
// Tests wait for processes, sockets and disks: one process more than processors keeps these busy, and each one more makes
// browsers slower. It begins at the end: units keep a processor busy while browsers wait.
await Promise.all([
  runGroups(() => waiting.pop()),
  ...Array.from({length: availableParallelism()}, () => runGroups(() => waiting.shift())),
])
await rm(folder, {recursive: true, force: true, maxRetries: 10})
for (const [file, milliseconds] of [...durations].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST))
  console.log(`${(milliseconds / 1_000).toFixed(1).padStart(7)} s  ${file}`)
for (const name of skipped) console.log(`skipped: ${name}`)
console.log(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped`)
if (isIncomplete) console.log('Failed: CI needs the programs of the tests that did not run.')
if (failed > 0 || passed === 0 || isIncomplete || stopping.signal.aborted) process.exitCode = 1

/** Whether temporary files can be in memory. Containers often have 64 MB of it. */
async function hasRoomInMemory(): Promise<boolean> {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY) || freemem() < ROOM) return false
  const {bavail, bsize} = await statfs(MEMORY)
  return bavail * bsize >= ROOM
}

async function runGroups(next: () => TestGroup | undefined): Promise<void> {
  for (let group = next(); group !== undefined; group = next()) {
    if (stopping.signal.aborted) return
    await runGroup(group)
  }
}

/** Prints what a group did when it has ended, so that the output of groups does not mix. */
async function runGroup({name, files}: TestGroup): Promise<void> {
  const hanging = new AbortController()
  const events = run({
    files: [join(import.meta.dirname, 'group.ts')],
    argv: [...files],
    signal: AbortSignal.any([stopping.signal, hanging.signal]),
  })
  let latest = name
  const silence = setTimeout(() => {
    hanging.abort(new Error(`no test began or ended in ${MAX_SILENCE / 60_000} minutes after “${latest}”`))
  }, MAX_SILENCE)
  for (const event of ['test:dequeue', 'test:complete'] as const)
    events.on(event, ({name}) => {
      latest = name
      silence.refresh()
    })
  const began = performance.now()
  let failures = 0
  // A module with a top-level `await` would register the tests of one file as those of another, or of none.
  const withoutTests: string[] = []
  let tests = 0
  events.on('test:pass', ({name, nesting, details, skip}) => {
    if (nesting === 0) durations.set(name, details.duration_ms)
    if (skip !== undefined) skipped.push(name)
    else if (details.type !== 'suite') {
      passed += 1
      tests += 1
    } else if (nesting === 0) {
      if (tests === 0) withoutTests.push(name)
      tests = 0
    }
  })
  events.on('test:fail', ({name, nesting, details}) => {
    if (nesting === 0) durations.set(name, details.duration_ms)
    const {failureType} = {failureType: undefined, ...details.error}
    if (failureType !== 'subtestsFailed') failures += 1
    tests = nesting === 0 ? 0 : tests + 1
    if (values.bail) stopping.abort()
  })
  const printed: string[] = []
  for await (const text of events.compose(spec)) printed.push(String(text))
  clearTimeout(silence)
  for (const file of withoutTests) printed.push(`✖ ${file} has no tests\n`)
  failures += withoutTests.length
  failed += failures
  if (isDetailed || failures > 0) process.stdout.write(printed.join(''))
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${failures === 0 ? '✔' : '✖'} ${name}: ${files.length} files, ${seconds} s`)
}
