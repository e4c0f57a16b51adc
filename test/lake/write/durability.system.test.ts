import assert from 'node:assert/strict'
import {test} from 'node:test'
import {runRounds} from '../../soak/rounds.ts'

// `npm run soak` runs the same for longer.
test('a lake killed at random moments under load loses no acknowledged write', async () => {
  const {transactions} = await runRounds({seed: Date.now() % 1_000_000, rounds: 3, burst: 50})
  assert.ok(transactions > 0)
})
