import {createClient, type SanityClient} from '@sanity/client'
import type {FaultyNetwork} from '../../support/network/network.ts'
import {processorTime, residentBytes} from '../../support/processes.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {startPair} from '../pair.ts'
import {token} from '../process.ts'
import {Visitor} from './visitor.ts'

/** A lake with sites and a service that knows them all. */
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
  const numbers = [...Array(sites).keys()]
  const publicIds = numbers.map((number) => `public-${number}`)
  const {network, lakeAddress, service, close} = await startPair({
    documents: numbers.flatMap((number) => [
      siteDocument({_id: `site-${number}`, publicId: `public-${number}`}),
      toolDocument({_id: `tool-${number}`, site: {_type: 'reference', _ref: `site-${number}`}}),
    ]),
    service: {RATE_LIMIT_MAX: '1000000000', ...environment},
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
    close,
  }
}
