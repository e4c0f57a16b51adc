import {mkdtempSync, rmdirSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, relative} from 'node:path'
import {after, before, suite} from 'node:test'
import {Leftovers} from './leftovers.ts'

// The entry file of a process that runs several test files, one after the other: each is a suite of its own, so its
// hooks are its own, too.
const ROOT = join(import.meta.dirname, '../..')

/** Milliseconds that a file may take; the whole process has its own limit. */
const MAX_FILE_DURATION = 5 * 60_000

const folder = mkdtempSync(join(tmpdir(), 'handrail-tests-'))
process.env.TMPDIR = folder
process.once('exit', () => rmdirSync(folder))

for (const file of process.argv.slice(2)) {
  suite(relative('test', file), {timeout: MAX_FILE_DURATION}, async () => {
    let leftovers: Leftovers | undefined
    before(() => {
      leftovers = new Leftovers(folder)
    })
    await import(join(ROOT, file))
    after(() => leftovers?.assertNone())
  })
}
