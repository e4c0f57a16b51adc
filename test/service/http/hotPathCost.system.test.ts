import assert from 'node:assert/strict'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {type House, startHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {type Cost, type MeasuredServer, startMeasured} from '../support/costs.ts'

const CONFIG = '/api/sites/shop-public/config?path=/cart'
const BARE = '/body.json'

/** About 10 KB per response. */
const documents = [
  siteDocument(),
  toolDocument({executeJs: `return args.query // ${'words '.repeat(1_600)}`}),
]

// These counts do not depend on the load of the machine (docs/decisions/0019-images-and-tests-run-the-source.md).
describe('a config of a cached site, compared with a bare Fastify route that sends the same body', () => {
  let house: House
  let folder: string
  let tag: string
  const servers: MeasuredServer[] = []

  before(async () => {
    house = await startHouse(documents)
    folder = await mkdtemp(join(tmpdir(), 'handrail-costs-'))
    const service = await startMeasured(new URL('../support/measuredService.ts', import.meta.url), [], {
      HOST: '127.0.0.1',
      PORT: '0',
      SANITY_API_HOST: house.network.address,
      SANITY_API_TOKEN: house.serviceToken,
      SNAPSHOT_DIR: join(folder, 'snapshots'),
      RATE_LIMIT_MAX: '1000000',
    })
    servers.push(service)
    const answer = await fetch(service.address + CONFIG, {headers: {'accept-encoding': 'identity'}})
    tag = String(answer.headers.get('etag'))
    await writeFile(join(folder, BARE), Buffer.from(await answer.arrayBuffer()))
    const program = new URL('../../../bench/fastify.ts', import.meta.url)
    servers.push(await startMeasured(program, [folder]))
  })
  after(async () => {
    for (const server of servers) await server.end()
    await house.close()
    await rm(folder, {recursive: true, force: true})
  })

  /** The cost of the service's response, and of the bare route's. */
  async function costs(status: 200 | 304): Promise<{own: Cost; bare: Cost}> {
    const [service, fastify] = servers
    if (!service || !fastify) throw new Error('the servers have not started')
    const held = (value: string): Record<string, string> => (status === 304 ? {'if-none-match': value} : {})
    const own = await service.costOf(CONFIG, status, held(tag))
    const bare = await fastify.costOf(BARE, status, held('"bench"'))
    return {own, bare}
  }

  for (const status of [200, 304] as const)
    test(`a ${status} allocates no more, and creates no more promises, timers or ticks`, async (t) => {
      const {own, bare} = await costs(status)
      t.diagnostic(JSON.stringify({own, bare}))
      assert.ok(bare.resources.TickObject, 'the event loop was watched')
      for (const [kind, made] of Object.entries(own.resources))
        assert.ok(made <= (bare.resources[kind] ?? 0), `${made} of the kind ${kind} for each request`)
      assert.ok(own.bytes > 0, 'bytes were counted')
      assert.ok(own.bytes <= bare.bytes, `${own.bytes} bytes for each request, the bare route ${bare.bytes}`)
    })
})
