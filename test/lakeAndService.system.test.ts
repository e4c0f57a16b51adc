import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {LakeProcess} from './soak/process.ts'
import {createContentRepository} from './support/content.ts'
import {eventually} from './support/eventually.ts'
import {freePort} from './support/network/ports.ts'
import {startServiceProcess} from './support/serviceProcess.ts'
import {siteDocument, toolDocument} from './support/shop.ts'

test('npm run lake and npm run service find each other without a token in the settings, in either order', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-finding-'))
  const repository = await createContentRepository([siteDocument(), toolDocument()])
  const processes: (() => unknown)[] = []
  t.after(async () => {
    // First the processes: they write to the folder.
    await Promise.all(processes.map((end) => end()))
    await Promise.all([rm(dir, {recursive: true, force: true}), repository.dispose()])
  })
  const port = await freePort()
  const CONTENT_DIR = repository.dir
  const startService = async (name: string) => {
    const service = await startServiceProcess({
      SANITY_API_HOST: `http://localhost:${port}`,
      SNAPSHOT_DIR: join(dir, name),
      CONTENT_DIR,
    })
    processes.push(() => service.end('SIGKILL'))
    return service.address
  }
  const early = await startService('early')
  assert.equal((await fetch(`${early}/readyz`)).status, 503)

  const lake = new LakeProcess({
    CONTENT_DIR,
    LAKE_PORT: String(port),
    SANITY_API_TOKEN: '',
    LAKE_API_TOKEN: '',
  })
  processes.push(() => lake.kill(true))
  await lake.address
  const late = await startService('late')
  for (const address of [early, late]) {
    await eventually(async () => (await fetch(`${address}/api/sites/shop-public/config`)).status, 200)
    await eventually(async () => (await fetch(`${address}/readyz`)).text(), /"status":"ready","reasons":\[\]/)
  }
  assert.equal((await fetch(`http://localhost:${port}/v1/data/query/production?query=*`)).status, 401)
})
