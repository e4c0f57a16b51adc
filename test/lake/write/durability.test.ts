import assert from 'node:assert/strict'
import {test} from 'node:test'
import {runRounds} from '../../soak/rounds.ts'

// `npm run soak` does the same for longer.
test('a lake that is killed at random moments under two writers loses nothing that it has acknowledged', async () => {
  const {transactions} = await runRounds({seed: Date.now() % 1_000_000, rounds: 8})
  assert.ok(transactions > 0)
})
