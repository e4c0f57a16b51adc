import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {test} from 'node:test'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {createUpstreamClient} from '../../../service/upstream/client.ts'
import {listen} from '../../support/network/ports.ts'

test('V8 frees nearly all of a query without a full garbage collection', async (t) => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"result":null}')
  })
  const port = await listen(server, t)
  const apiHost = `http://127.0.0.1:${port}`
  const client = createUpstreamClient({
    projectId: 'local',
    dataset: 'production',
    apiToken: undefined,
    apiHost,
  })
  const withFetch = client.withConfig({resolveFetch: () => fetch})
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  const heapAfter = (type: 'minor' | 'major') => {
    // An object that survives twice is moved to where only a full collection frees it.
    for (let times = 0; times < 2; times += 1) if (typeof collect === 'function') collect({type})
    return process.memoryUsage().heapUsed
  }
  const query = async (queried: typeof client) => {
    for (let sent = 0; sent < 300; sent += 1) await queried.fetch('*')
  }
  /** What a full collection frees after queries, and the small ones before it did not. */
  const keptBy = async (queried: typeof client) => {
    await query(queried)
    heapAfter('major')
    await query(queried)
    return heapAfter('minor') - heapAfter('major')
  }
  const kept = await keptBy(client)
  const keptWithFetch = await keptBy(withFetch)
  // Both with what the server in this process keeps.
  assert.ok(kept < keptWithFetch / 2, `${kept} bytes are still there, and with fetch ${keptWithFetch}`)
})
