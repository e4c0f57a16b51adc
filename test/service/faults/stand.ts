import {setImmediate, setTimeout} from 'node:timers/promises'
import type {SanityClient} from '@sanity/client'
import {startService} from '../../../service/service.ts'
import {readServiceSettings} from '../../../service/settings.ts'
import type {ServiceTiming} from '../../../service/timing.ts'
import {startContentLake} from '../../support/contentLake.ts'
import {eventually} from '../../support/eventually.ts'
import {scriptsFor, UNCODED} from '../../support/house.ts'
import {listeningLog} from '../../support/log.ts'
import {type FaultyNetwork, startFaultyNetwork} from '../../support/network/network.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

/** Seconds for which a last known good config may be served. */
export const MAX_STALE = 7_200

/** Maximum time that an event takes from the network to the service, in milliseconds. */
const IN_FLIGHT = 100

/** One lake with one site per fixture. */
export type Fairground = {
  address: string
  client: SanityClient
  /** A network and a service for one site. */
  stand(timing?: Partial<ServiceTiming>): Promise<Stand>
  close(): Promise<void>
}

/** One site, with its own network and service. */
export type Stand = {
  network: FaultyNetwork
  /** The log of the service. */
  lines: Record<string, unknown>[]
  config(): Promise<Response>
  /** Requests the site of another stand, or another page of the service. */
  fetch(path: string): Promise<Response>
  pass(seconds: number): void
  /** Withholds live events, and waits until those that were already sent have arrived. */
  mute(): Promise<void>
  /** Publishes a new description of the site's tool. */
  publish(description: string): Promise<void>
  /** Deletes the site and its tool. */
  deleteSite(): Promise<void>
  /** Stops the service and starts another one over its snapshots. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts a lake with this many sites. */
export async function startFairground(sites: number): Promise<Fairground> {
  const {log} = listeningLog()
  const documents = Array.from({length: sites}, (_, number) => [
    siteDocument({_id: `site-${number}`, publicId: `public-${number}`}),
    toolDocument({
      _id: `tool-${number}`,
      site: {_type: 'reference', _ref: `site-${number}`},
      description: 'Old.',
    }),
  ])
  const lake = await startContentLake(documents.flat(), log)
  const {address, serviceToken, client, repository} = lake
  let stands = 0
  return {
    address,
    client,
    stand: (timing) =>
      startStand({address, serviceToken}, client, stands++, `${repository.dir}.snapshots`, timing),
    close: () => lake.close(),
  }
}

async function startStand(
  lake: {readonly address: string; readonly serviceToken: string},
  client: SanityClient,
  number: number,
  dir: string,
  timing: Partial<ServiceTiming> = {},
): Promise<Stand> {
  const {log, lines} = listeningLog()
  const network = await startFaultyNetwork(lake.address)
  const settings = readServiceSettings({
    PORT: '0',
    SANITY_API_HOST: network.address,
    SANITY_API_TOKEN: lake.serviceToken,
    SNAPSHOT_DIR: `${dir}/${number}`,
    MAX_STALE_SECONDS: String(MAX_STALE),
    DRAIN_SECONDS: '0',
  })
  let passed = 0
  const scripts = await scriptsFor()
  const start = () => startService(settings, log, {systemClock: () => Date.now() + passed, scripts, timing})
  let service = await start()
  await eventually(
    async () => lines,
    () => lines.some(({msg}) => msg === 'following live events'),
    10,
  )
  return {
    network,
    lines,
    fetch: (path) => fetch(service.address + path, {headers: UNCODED}),
    config: () => fetch(`${service.address}/api/sites/public-${number}/config`, {headers: UNCODED}),
    pass(seconds) {
      passed += seconds * 1_000
    },
    async mute() {
      network.isMuted = true
      await setTimeout(IN_FLIGHT) // what was sent before arrives
      // On a busy machine, timers may be due before what has arrived is read.
      await setImmediate()
    },
    async publish(description) {
      await client.patch(`tool-${number}`).set({description}).commit()
    },
    async deleteSite() {
      await client.transaction().delete(`tool-${number}`).delete(`site-${number}`).commit()
    },
    async restart() {
      await service.close()
      service = await start()
    },
    async close() {
      await service.close()
      await network.close()
    },
  }
}
