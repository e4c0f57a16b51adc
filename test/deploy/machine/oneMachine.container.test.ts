import assert from 'node:assert/strict'
import {join, relative} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {IS_DEEP} from '../../runner/runs.ts'
import {projectFile} from '../support/files.ts'
import {startMachine} from './machine.ts'

const PROGRAM = fileURLToPath(new URL('./operate.ts', import.meta.url))

test('on one machine, each step of the pages for operators works, from nothing on, and no visitor’s request fails', async (t) => {
  const machine = await startMachine(t)
  const program = join('/opt/handrail', relative(projectFile('.'), PROGRAM))
  const crashes = IS_DEEP ? '100' : '1'
  const requests = Number(await machine.run('/opt/handrail/node_modules/.bin/node', program, crashes))
  assert.ok(requests > 1_000, String(requests))
})
