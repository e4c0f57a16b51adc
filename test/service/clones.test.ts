import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {createClient} from '@sanity/client'
import {startLake} from '../../lake/lake.ts'
import {TEXT_FILES} from '../../schemas/index.ts'
import {startService} from '../../service/service.ts'
import {readServiceSettings} from '../../service/settings.ts'
import {gitLauncher} from '../lake/support/git.ts'
import {contentRepositoryAt} from '../support/content.ts'
import {eventually} from '../support/eventually.ts'
import {scriptsFor, UNCODED} from '../support/house.ts'
import {listeningLog} from '../support/log.ts'

const seedDir = fileURLToPath(new URL('../../examples/shop/content', import.meta.url))

const TOKEN = 'a-token-for-tests'

const PATHS = ['', '/', '/products', '/products/coil-rope', '/cart', '/checkout', '/contact', '/a/b/c']

/** A lake over this folder, with a service in front. */
type House = {lakeAddress: string; serviceAddress: string; close(): Promise<void>}

async function startHouse(contentDir: string): Promise<House> {
  await gitLauncher()
  const {log} = listeningLog()
  const lake = await startLake({
    host: '127.0.0.1',
    port: 0,
    contentDir,
    seedDir,
    projectId: 'local',
    dataset: 'production',
    apiTokens: [TOKEN],
    textFiles: TEXT_FILES,
    logger: log,
  })
  const service = await startService(
    readServiceSettings({
      PORT: '0',
      SANITY_API_HOST: lake.address,
      SANITY_API_TOKEN: lake.serviceToken,
      SNAPSHOT_DIR: `${contentDir}.snapshots`,
    }),
    log,
    {scripts: await scriptsFor()},
  )
  return {
    lakeAddress: lake.address,
    serviceAddress: service.address,
    async close() {
      await service.close()
      await lake.close()
    },
  }
}

/** The tag and body of every config of the demo shop. */
async function answersOf({serviceAddress}: House): Promise<string[]> {
  return Promise.all(
    PATHS.map(async (path) => {
      const query = path === '' ? '' : `?path=${path}`
      const url = `${serviceAddress}/api/sites/demo-shop/config${query}`
      const response = await fetch(url, {headers: UNCODED})
      return `${path} ${response.status} ${response.headers.get('etag')} ${await response.text()}`
    }),
  )
}

test('two clones of one commit, each with its own lake and service, serve the same tags and bytes', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-clones-'))
  const [first, second] = [join(dir, 'first'), join(dir, 'second')]
  const one = await startHouse(first)
  const [here, there] = [contentRepositoryAt(first), contentRepositoryAt(second)]
  await here.git('clone', '--quiet', '--bare', first, second)
  const two = await startHouse(second)
  const closing = {houses: [one, two]}
  t.after(async () => {
    await Promise.all(closing.houses.map((house) => house.close()))
    await rm(dir, {recursive: true})
  })

  const demo = await answersOf(one)
  assert.ok(demo.every((answer) => answer.includes(' 200 "')))
  assert.ok(new Set(demo.map((answer) => answer.split(' ')[2])).size > 3, 'pages differ')
  assert.deepEqual(await answersOf(two), demo)

  // A publish on one of them reaches the other through Git.
  const client = createClient({
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2025-02-19',
    useCdn: false,
    useProjectHostname: false,
    apiHost: one.lakeAddress,
    token: TOKEN,
  })
  await client.patch('tool-search-products').set({description: 'Searches again.'}).commit()
  const published = await eventually(
    () => answersOf(one),
    (answers) => answers.every((answer) => answer.includes('Searches again.')),
  )
  await there.git('fetch', '--quiet', first, 'main:main')
  await eventually(
    () => answersOf(two),
    (answers) => answers.join() === published.join(),
  )

  // Neither a restart nor earlier state of the processes makes a difference.
  await Promise.all([one.close(), two.close()])
  closing.houses = await Promise.all([startHouse(first), startHouse(second)])
  for (const house of closing.houses) assert.deepEqual(await answersOf(house), published)
})
