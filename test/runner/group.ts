import {mkdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, relative} from 'node:path'
import {after, before, suite} from 'node:test'
import fc from 'fast-check'
import {Leftovers} from './leftovers.ts'
import {closeShared} from './shared.ts'

// The entry file of a process that runs several test files, one after the other: each is a suite of its own, so its
// hooks are its own, too.
const ROOT = join(import.meta.dirname, '../..')

// A failed property prints its seed.
const {SEED} = process.env
if (SEED !== undefined) fc.configureGlobal({...fc.readConfigureGlobal(), seed: Number(SEED)})

/** Milliseconds until a process ends that has run its files. */
const END_GRACE = 30_000

// They are created when they are first used, and would count as left by a file.
void [process.stdin, process.stdout, process.stderr]

// Short, because the path of a Unix socket has at most 107 bytes.
const folder = join(tmpdir(), String(process.pid))
mkdirSync(folder)
process.env.TMPDIR = folder
// What is left here belongs to a shared stage, such as the cache of a build.
process.once('exit', () => rmSync(folder, {recursive: true, force: true}))
after(closeShared)

const files = process.argv.slice(2)
let running = files.length
for (const file of files) {
  suite(relative('test', file), async () => {
    let leftovers: Leftovers | undefined
    before(() => {
      leftovers = new Leftovers(folder)
    })
    await import(join(ROOT, file))
    after(() => {
      running -= 1
      if (running === 0) endSoon()
    })
    after(() => leftovers?.assertNone())
  })
}

/** A test that failed may leave a server or a timer, which would keep the process running. */
function endSoon(): void {
  setTimeout(() => process.exit(1), END_GRACE).unref() // a bound for the wait
}
