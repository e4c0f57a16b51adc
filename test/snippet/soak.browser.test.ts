import {test} from 'node:test'
import {publishWhileOpen} from '../soak/snippet/publishing.ts'

// `npm run soak -- snippet` does the same for longer.
test('a page that is open through 20 publishes has the tools that are served, and holds on to nothing', {
  timeout: 120_000,
}, async () => {
  await publishWhileOpen({seed: 20, rounds: 20, warmUp: 8})
})
