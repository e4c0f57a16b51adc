import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {Leftovers} from './leftovers.ts'
import {closeShared, shared} from './shared.ts'

function leftoversIn(t: TestContext): {folder: string; leftovers: Leftovers} {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-leftovers-'))
  t.after(() => rmSync(folder, {recursive: true}))
  return {folder, leftovers: new Leftovers(folder)}
}

test('a file that cleans up leaves nothing', async (t) => {
  const {leftovers} = leftoversIn(t)
  await leftovers.assertNone(0)
})

test('a folder that is left is named, and removed for the next file', async (t) => {
  const {folder, leftovers} = leftoversIn(t)
  mkdtempSync(join(folder, 'content-'))
  await assert.rejects(leftovers.assertNone(0), /the file leaves the folder content-/)
  await leftovers.assertNone(0)
})

test('a process that still runs is named', async (t) => {
  const {leftovers} = leftoversIn(t)
  const child = spawn('cat', ['-u'])
  t.after(() => child.kill())
  // Only a process that runs has a command line: "spawn" is emitted while Linux still sets it up.
  child.stdin.write('ready')
  await once(child.stdout, 'data')
  await assert.rejects(leftovers.assertNone(0), new RegExp(`the process ${child.pid} \\(cat -u\\)`))
})

test('a server and a timer that keep the process running are named', async (t) => {
  const {leftovers} = leftoversIn(t)
  const server = createServer().listen(0, '127.0.0.1')
  const timer = setTimeout(() => {}, 60_000) // stands for one that a test forgets
  t.after(() => {
    clearTimeout(timer)
    server.close()
  })
  await once(server, 'listening')
  await assert.rejects(leftovers.assertNone(0), /a TCPServerWrap.*a Timeout/)
})

test('a variable of the environment that differs is named', async (t) => {
  const {leftovers} = leftoversIn(t)
  process.env.HANDRAIL_LEFT = 'yes'
  t.after(() => Reflect.deleteProperty(process.env, 'HANDRAIL_LEFT'))
  await assert.rejects(leftovers.assertNone(0), /the variable HANDRAIL_LEFT/)
})

test('what a shared stage holds is not counted, and what a file leaves in it is', async (t) => {
  const tabs: string[] = []
  const stage = shared(
    async () => {
      const child = spawn('sleep', ['60'])
      await once(child, 'spawn')
      return {pid: child.pid, close: async () => child.kill()}
    },
    () => tabs,
  )
  const {leftovers} = leftoversIn(t)
  const {pid} = await stage()
  assert.equal((await stage()).pid, pid, 'it is started once')
  await leftovers.assertNone(0)
  tabs.push('a tab')
  await assert.rejects(leftovers.assertNone(0), /the file leaves a tab$/)
  await closeShared()
  await leftovers.assertNone()
})
