import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {startLake} from '../../../lake/lake.ts'
import type {Announcement} from '../../../service/cache/revalidation.ts'
import {Sites} from '../../../service/cache/sites.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {Snapshots} from '../../../service/snapshots/snapshots.ts'
import {UpstreamCircuitBreaker} from '../../../service/upstream/circuitBreaker.ts'
import {createUpstreamClient} from '../../../service/upstream/client.ts'
import {createSiteSource} from '../../../service/upstream/source.ts'
import {createRepository, testRepository} from '../../lake/support/git.ts'
import {servedCommit} from '../../soak/api.ts'
import {eventually, PATIENCE} from '../../support/eventually.ts'
import {listeningLog} from '../../support/log.ts'
import {startFaultyNetwork} from '../../support/network/network.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const tool = (fields = {}) => toolDocument({description: 'one', ...fields})
const toolFile = 'tool/search.json'

/**
 * The sites of a service without live events, in front of a lake that follows commits, plus a copy of the
 * lake that lags behind.
 */
async function world(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-announcing-'))
  const repository = testRepository(join(folder, 'content'))
  await createRepository(repository.directory)
  let seconds = 1_767_225_600
  const commit = (files: Record<string, unknown>) => repository.commit(files, ++seconds)
  await commit({
    'site/shop.json': siteDocument(),
    [toolFile]: tool(),
  })
  const behind = join(folder, 'behind')
  await repository.git('clone', '--quiet', '--bare', '.', behind)
  const [lake, copy] = await Promise.all([startLakeAt(repository.directory), startLakeAt(behind)])
  const network = await startFaultyNetwork(lake.address)

  const settings = {projectId: 'local', dataset: 'production', apiToken: TOKEN}
  const events = createServiceEvents()
  const breaker = new UpstreamCircuitBreaker(events, {queryTimeout: PATIENCE * 1_000})
  let passed = 0
  let held: Promise<void> | undefined
  const compared: (readonly string[])[] = []
  const waits: {readonly milliseconds: number; readonly end: () => void}[] = []
  const source = createSiteSource(createUpstreamClient({...settings, apiHost: network.address}), breaker)
  const snapshots = await Snapshots.open({
    dir: join(folder, 'snapshots'),
    origin: 'test',
    events,
    maxWaitingBytes: 1e6,
  })
  const sites = new Sites({
    source: {
      ...source,
      async fetchSite(...query) {
        const answer = await source.fetchSite(...query)
        await held
        return answer
      },
      fetchRevisions(...query) {
        compared.push(query[0])
        return source.fetchRevisions(...query)
      },
    },
    breaker,
    snapshots,
    events,
    maxBytes: 2 ** 20,
    maxStaleSeconds: 3_600,
    clock: () => Date.now() + passed,
    later(milliseconds) {
      const {promise, resolve} = Promise.withResolvers<void>()
      waits.push({milliseconds, end: resolve})
      return promise
    },
  })
  const direct = createUpstreamClient({...settings, apiHost: lake.address})
  t.after(async () => {
    await sites.close()
    await snapshots.flush()
    await network.close()
    await Promise.all([lake.close(), copy.close()])
    await rm(folder, {recursive: true})
  })

  return {
    sites,
    /** Keeps responses on their way, until the returned function is called. */
    hold(): () => void {
      const {promise, resolve} = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    },
    network,
    /** The sites of each comparison. */
    compared,
    /** What waits after announcements. */
    waits,
    lagging: {kind: 'elsewhere', target: copy.address} as const,
    pass: (time: number) => {
      passed += time * 1_000
    },
    /** Commits documents and waits until the lake serves them. */
    async publish(files: Record<string, unknown>) {
      const head = await commit(files)
      await eventually(() => servedCommit(lake.address), head)
    },
    /** The webhook announcement for a document in its current state. */
    async announcement(documentId: string, more: Partial<Announcement> = {}): Promise<Announcement> {
      const [found] = await direct.fetch<{revision: string}[]>('*[_id == $documentId]{"revision": _rev}', {
        documentId,
      })
      return {documentId, ...(found ?? {revision: null}), ...more}
    },
    /** The descriptions of the site's tools. */
    async tools() {
      const {site} = await sites.get('shop-public')
      return site?.texts
        .tools()
        .map((json) => JSON.parse(json).description)
        .join()
    },
  }
}

/** The token that both lakes accept. */
const TOKEN = 'a-token-for-tests'

function startLakeAt(contentDir: string) {
  return startLake({
    host: '127.0.0.1',
    port: 0,
    contentDir,
    projectId: 'local',
    dataset: 'production',
    serviceToken: TOKEN,
    logger: listeningLog().log,
  })
}

const becomes = (ask: () => Promise<unknown>, value: unknown) => eventually(ask, value)

test('a site that a lagging lake returns as it was is compared after one and five seconds', async (t) => {
  const {sites, network, lagging, publish, announcement, tools, waits, compared, pass} = await world(t)
  const {validatedAt} = await sites.get('shop-public')
  pass(1)
  network.fault = lagging
  await publish({[toolFile]: tool({description: 'two'})})
  assert.deepEqual(sites.revalidation.announce(await announcement('search')), {
    purged: ['shop-public'],
    current: [],
  })
  await eventually(async () => (await sites.get('shop-public')).validatedAt > validatedAt, true)
  waits[0]?.end()
  await eventually(() => [compared.length, network.unanswered], [1, 0])
  assert.equal(await tools(), 'one')
  network.fault = {kind: 'none'}
  waits[1]?.end()
  await becomes(tools, 'two')
  assert.deepEqual(
    waits.map(({milliseconds}) => milliseconds),
    [1_000, 4_000],
  )
})

test('a site that has changed after its announcement is not compared again', async (t) => {
  const {sites, compared, publish, announcement, tools, waits} = await world(t)
  await tools()
  await publish({[toolFile]: tool({description: 'two'})})
  sites.revalidation.announce(await announcement('search'))
  await becomes(tools, 'two')
  for (const wait of [0, 1]) {
    waits[wait]?.end()
    await setImmediate()
    await setImmediate()
  }
  assert.equal(waits.length, 2)
  assert.deepEqual(compared, [])
})

test('a newer revision is not replaced by an older one from a lagging copy of the lake', async (t) => {
  const {sites, network, lagging, publish, announcement, tools, pass} = await world(t)
  await tools()
  await publish({[toolFile]: tool({description: 'two'})})
  sites.revalidation.announce(await announcement('search'))
  await becomes(tools, 'two')
  network.fault = lagging
  network.queries.length = 0
  sites.revalidation.markAllUnverified()
  pass(11)
  for (let i = 0; i < 20; i++) assert.equal(await tools(), 'two')
  await eventually(
    async () => network.queries.length,
    (asked) => asked >= 2,
  )
  assert.equal(await tools(), 'two')
  network.fault = {kind: 'none'}
  await publish({[toolFile]: tool({description: 'three'})})
  sites.revalidation.announce(await announcement('search'))
  await becomes(tools, 'three')
})

test('a lagging copy that still has a deleted document does not undo the deletion', async (t) => {
  const {sites, network, lagging, publish, tools} = await world(t)
  await tools()
  await publish({[toolFile]: undefined})
  sites.revalidation.announce({documentId: 'search', revision: null})
  await becomes(tools, '')
  network.fault = lagging
  network.queries.length = 0
  sites.revalidation.markAllUnverified()
  await eventually(() => [network.queries.length, network.unanswered], [2, 0])
  for (let i = 0; i < 20; i++) assert.equal(await tools(), '')
})

test('an announcement overtakes a first fetch that is in flight', async (t) => {
  const {sites, network, hold, publish, announcement, tools} = await world(t)
  const release = hold()
  const first = tools()
  await eventually(() => network.queries.length === 1 && network.unanswered === 0, true)
  await publish({[toolFile]: tool({description: 'two'})})
  sites.revalidation.announce(await announcement('search', {publicIds: ['shop-public']}))
  release()
  assert.equal(await first, 'two')
})

test('a replaced revision is refused for some seconds only: a wrong webhook cannot hold a site', async (t) => {
  const {sites, network, lagging, publish, announcement, tools, pass} = await world(t)
  await tools()
  await publish({[toolFile]: tool({description: 'two'})})
  sites.revalidation.announce(await announcement('search'))
  await becomes(tools, 'two')
  network.fault = lagging
  pass(16)
  sites.revalidation.markAllUnverified()
  await becomes(tools, 'one')
})
