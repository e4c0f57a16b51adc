import assert from 'node:assert/strict'
import {test} from 'node:test'
import {temporaryFolder} from '../../lake/support/git.ts'
import {eventually} from '../../support/eventually.ts'
import {runHouse, UNCODED} from '../../support/house.ts'
import {startServiceProcess} from '../../support/serviceProcess.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

test('after a service is killed, the next one serves the same configs without the lake', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument()])
  const dir = await temporaryFolder(t)
  const environment = {
    SANITY_API_HOST: house.network.address,
    SANITY_API_TOKEN: house.serviceToken,
    SNAPSHOT_DIR: dir,
  }
  const seen = async (address: string) => {
    const response = await fetch(`${address}/api/sites/shop-public/config?path=/`, {headers: UNCODED})
    return {status: response.status, tag: response.headers.get('etag'), body: await response.text()}
  }

  const first = await startServiceProcess(environment)
  t.after(() => first.end('SIGKILL'))
  const before = await seen(first.address)
  assert.equal(before.status, 200)
  await eventually(
    async () => /^handrail_snapshots 1$/m.test(await (await fetch(`${first.address}/metrics`)).text()),
    true,
  )
  await first.end('SIGKILL')
  await house.network.unplug()
  const second = await startServiceProcess(environment)
  t.after(() => second.end('SIGKILL'))
  assert.deepEqual(await seen(second.address), before)
})
