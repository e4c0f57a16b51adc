import assert from 'node:assert/strict'
import {mkdir, utimes, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {RunningPush} from '../../../../lake/git/checkout/runningPush.ts'
import {temporaryFolder} from '../../support/git.ts'

test('a push that was killed while the clock was ahead does not count as running', async (t) => {
  const gitDir = await temporaryFolder(t)
  const file = join(gitDir, 'handrail', 'push')
  await mkdir(join(gitDir, 'handrail'))
  const push = new RunningPush({root: gitDir, gitDir, commonDir: gitDir, isBare: true})
  for (const [days, isRunning] of [
    [0, true],
    [365, false],
  ] as const) {
    await writeFile(file, 'abc')
    const time = new Date(Date.now() + days * 24 * 3_600_000)
    await utimes(file, time, time)
    assert.equal(await push.isRunning('def'), isRunning)
  }
})
