import {spawnSync} from 'node:child_process'
import {globSync, mkdtempSync, rmdirSync} from 'node:fs'
import {availableParallelism, tmpdir} from 'node:os'
import {join} from 'node:path'
import {run} from 'node:test'
import {spec} from 'node:test/reporters'
import {findChromium} from './support/browser.ts'
import {hasNginx} from './support/network/nginx.ts'
import {hasRedis} from './support/network/redis.ts'
import {findSchemaSuite} from './support/schemaSuite.ts'

// The ending of a test file names what it needs in addition to Node and Git. In CI, a missing program is an error.
const isCI = process.env.CI !== undefined
const isRoot = process.getuid?.() === 0
const needs: [ending: string, met: boolean, what: string][] = [
  ['.browser.test.ts', findChromium() !== undefined || isCI, 'Chromium (see CHROMIUM)'],
  ['.redis.test.ts', hasRedis() || isCI, 'redis-server and redis-cli'],
  ['.nginx.test.ts', hasNginx() || isCI, 'nginx and openssl'],
  [
    '.suite.test.ts',
    findSchemaSuite() !== undefined || isCI,
    'the JSON Schema Test Suite (see CONTRIBUTING.md)',
  ],
  ['.mount.test.ts', mayMount(), 'a user who may mount file systems'],
  ['.user.test.ts', !isRoot, 'a user who is not root'],
]

const files = globSync('test/**/*.test.ts').sort()
const unmet = needs.filter(([, met]) => !met)
const runnable = files.filter((file) => unmet.every(([ending]) => !file.endsWith(ending)))
for (const [ending, , what] of unmet) {
  const count = files.filter((file) => file.endsWith(ending)).length
  if (count > 0) console.log(`${count} test files are skipped: they need ${what}`)
}
function mayMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'handrail-mount-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', directory]).status === 0
  if (mounted) spawnSync('umount', [directory])
  rmdirSync(directory)
  return mounted
}

// Node strips the types itself, and keeps what it compiled: starting a process costs half as much as with tsx.
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/tests')

/** Milliseconds after which the files that still run are ended, and reported as failed. */
const MAX_DURATION = 40 * 60_000

// Browser tests compute, the others mostly wait. Studio's take the longest and come first, so that no core waits for
// one of them at the end.
const isBrowserTest = (file: string) => file.includes('.browser.')
await runFiles(runnable.filter(isBrowserTest).toReversed(), availableParallelism() + 1)
await runFiles(
  runnable.filter((file) => !isBrowserTest(file)),
  availableParallelism() + 2,
)

async function runFiles(paths: string[], concurrency: number): Promise<void> {
  // A test that fails may leave a timer, with which its process never ends. `forceExit` would also skip tests.
  const signal = AbortSignal.timeout(MAX_DURATION)
  const events = run({files: paths, concurrency, timeout: 300_000, signal})
  events.on('test:fail', () => {
    process.exitCode = 1
  })
  for await (const text of events.compose(spec)) process.stdout.write(String(text))
}
