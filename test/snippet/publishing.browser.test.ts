import {test} from 'node:test'
import {publishWhileOpen} from './publishing/publishing.ts'

test('a page open during 20 publishes always has the served tools, and leaks nothing', async () => {
  await publishWhileOpen({seed: 20, rounds: 20, warmUp: 8})
})
