import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {rm} from 'node:fs/promises'
import {tmpdir, userInfo} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {Cleanup} from '../../bench/cleanup.ts'
import {answerOf} from '../../bench/service/answer.ts'
import {startLoad} from '../../bench/service/load.ts'
import {answersOf, startBenchedService, temporaryFolder} from '../../bench/service/servers.ts'
import {configPath} from '../../bench/service/stage.ts'
import {eventually} from '../support/eventually.ts'
import {metricsOf} from '../support/metrics.ts'

test('a benchmarked service serves from memory, as with live events, and leaves nothing behind', async (t) => {
  // tsx keeps what it compiled for all programs of a user.
  t.after(() => rm(join(tmpdir(), `tsx-${userInfo().uid}`), {recursive: true, force: true}))
  const cleanup = new Cleanup()
  const folder = await temporaryFolder({cleanup})
  try {
    const load = await startLoad(undefined, {cleanup})
    const {address, pid} = await startBenchedService(undefined, {cleanup})
    await eventually(
      () => metricsOf(address),
      ({samples}) => samples.get('handrail_live_connected') === 1,
    )
    const size = {tools: 10, bytes: 10_240}
    const {status, body} = await answerOf(`${address}${configPath(size, '/')}`)
    assert.equal(status, 200)
    assert.ok(Math.abs(body.byteLength - size.bytes) < 100)

    const order = {address, path: configPath(size, '/', '{n}'), numbers: 3, status: 200}
    const whole = {...order, connections: 4, milliseconds: 10_000}
    await load.send({...whole, sent: 0, requests: 3})
    const before = await answersOf(address)
    const outcome = await load.send({...whole, sent: 3, requests: 60})
    const after = await answersOf(address)
    assert.equal(outcome.requests, 60)
    assert.ok(outcome.p50 > 0 && outcome.p99 >= outcome.p50)
    assert.equal(after.hits - before.hits, 60)
    assert.equal(after.asked, before.asked)

    await assert.rejects(load.send({...whole, status: 404, sent: 0}), /returned 200 instead of 404/)
    await cleanup.run()
    assert.throws(() => process.kill(pid, 0), /ESRCH/)
    assert.ok(!existsSync(folder))
  } finally {
    await cleanup.run()
  }
})
