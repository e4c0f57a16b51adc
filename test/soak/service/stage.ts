import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createClient, type SanityClient} from '@sanity/client'
import {createContentRepository} from '../../support/content.ts'
import {type FaultyNetwork, startFaultyNetwork} from '../../support/network.ts'
import {processorTime, residentBytes} from '../../support/processes.ts'
import {startServiceProcess} from '../../support/serviceProcess.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {LakeProcess, token} from '../process.ts'
import {Visitor} from './visitor.ts'

/** A lake and a service, each a process of its own, joined by a network that can be broken. */
export type Stage = {
  network: FaultyNetwork
  /** Writes to the lake. */
  client: SanityClient
  serviceAddress: string
  /** Public identifiers of the sites; each has one tool, `tool-<number>`. */
  publicIds: readonly string[]
  /** Bytes of the service's memory. */
  memory(): Promise<number>
  /** Milliseconds that the service has spent on a processor. */
  processorTime(): Promise<number>
  close(): Promise<void>
}

export async function startStage(sites: number, environment: NodeJS.ProcessEnv = {}): Promise<Stage> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-soak-'))
  const numbers = [...Array(sites).keys()]
  const publicIds = numbers.map((number) => `public-${number}`)
  const repository = await createContentRepository(
    numbers.flatMap((number) => [
      siteDocument({_id: `site-${number}`, publicId: `public-${number}`}),
      toolDocument({_id: `tool-${number}`, site: {_type: 'reference', _ref: `site-${number}`}}),
    ]),
  )
  const lake = new LakeProcess({CONTENT_DIR: repository.dir, EDITORS_FILE: join(dir, 'editors.json')})
  const lakeAddress = await lake.address
  const network = await startFaultyNetwork(lakeAddress)
  const service = await startServiceProcess({
    SANITY_API_HOST: network.address,
    SNAPSHOT_DIR: join(dir, 'snapshots'),
    RATE_LIMIT_MAX: '1000000000',
    DRAIN_SECONDS: '0',
    ...environment,
  })
  const visitor = new Visitor(service.address)
  for (const publicId of publicIds) await visitor.ask(publicId)
  visitor.close()
  return {
    network,
    client: createClient({
      projectId: 'local',
      dataset: 'production',
      apiVersion: '2025-02-19',
      useCdn: false,
      useProjectHostname: false,
      apiHost: lakeAddress,
      token,
    }),
    serviceAddress: service.address,
    publicIds,
    memory: () => residentBytes(service.pid),
    processorTime: () => processorTime(service.pid),
    async close() {
      await service.end('SIGTERM')
      await network.close()
      await lake.stop()
      await repository.dispose()
      await rm(dir, {recursive: true, force: true, maxRetries: 3})
    },
  }
}
