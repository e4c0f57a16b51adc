import assert from 'node:assert/strict'
import {once} from 'node:events'
import {connect} from 'node:net'
import {test} from 'node:test'
import {PATIENCE} from '../support/eventually.ts'
import {runLake} from './support/lake.ts'

test('an unused open connection does not delay closing', {timeout: PATIENCE * 1_000}, async (t) => {
  const {address, close} = await runLake(t)
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  await once(socket, 'connect')
  const ended = once(socket, 'close')
  await close()
  await ended
  assert.ok(socket.destroyed)
})
