import {test} from 'node:test'
import {publishWhileOpen} from '../soak/snippet/publishing.ts'

// `npm run soak -- snippet` does the same for longer.
test('a page open during 20 publishes always has the served tools, and leaks nothing', async () => {
  await publishWhileOpen({seed: 20, rounds: 20, warmUp: 8})
})
