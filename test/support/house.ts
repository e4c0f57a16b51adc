import {readFile, rename, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {deserialize, serialize} from 'node:v8'
import {buildPageScripts, type PageScripts} from '../../service/http/pageScripts.ts'
import {type ServiceTiming, startService} from '../../service/service.ts'
import {readServiceSettings} from '../../service/settings.ts'
import type {ContentDocument} from './content.ts'
import {type ContentLake, startContentLake} from './contentLake.ts'
import {eventually, PATIENCE} from './eventually.ts'
import {listeningLog} from './log.ts'
import {type MemoryLake, startMemoryLake} from './memoryLake.ts'
import {type FaultyNetwork, startFaultyNetwork} from './network/network.ts'

/** A service in front of the lake. */
export type Replica = {
  serviceAddress: string
  /**
   * Requests the config of a site: `path` is sent as the snippet does. Uncompressed unless `init` says
   * otherwise, so that a changed tag means a changed config.
   */
  config(publicId: string, path?: string, init?: RequestInit): Promise<Response>
  close(isDraining?: boolean): Promise<void>
}

/** A lake over its own repository and a service in front, joined by a network that can be broken. */
export type House = ContentLake & Served

/** The same without Git. */
export type SmallHouse = MemoryLake & Served

type Served = Replica & {
  network: FaultyNetwork
  /** Log lines of lake and service. */
  lines: Record<string, unknown>[]
  /** Where the service keeps its snapshots. */
  snapshotDir: string
  /** Moves the services' clock forward. */
  pass(seconds: number): void
  /**
   * Starts another service without waiting for the lake, which may be unavailable. Closing the house
   * closes it, too.
   */
  replica(environment?: NodeJS.ProcessEnv): Promise<Replica>
}

/** Starts a house that closes after the test. */
export async function runHouse(t: TestContext, ...options: Parameters<typeof startHouse>): Promise<House> {
  const house = await startHouse(...options)
  t.after(() => house.close())
  return house
}

/**
 * @param environment additional variables of the service, besides its ports.
 * @param timing instead of the service's own. A busy machine may take longer for a query than the service waits.
 */
export async function startHouse(
  documents: ContentDocument[],
  environment: NodeJS.ProcessEnv = {},
  timing: Partial<ServiceTiming> = {},
): Promise<House> {
  const {log, lines} = listeningLog()
  return serve(await startContentLake(documents, log), {log, lines, environment, timing})
}

/** The same over documents in memory. */
export function startSmallHouse(
  documents: ContentDocument[],
  environment: NodeJS.ProcessEnv = {},
): Promise<SmallHouse> {
  return startMemoryLake(documents).then((lake) => serve(lake, {...listeningLog(), environment, timing: {}}))
}

type ServeOptions = ReturnType<typeof listeningLog> & {
  readonly environment: NodeJS.ProcessEnv
  readonly timing: Partial<ServiceTiming>
}

async function serve<Lake extends ContentLake | MemoryLake>(
  lake: Lake,
  {log, lines, environment, timing}: ServeOptions,
): Promise<Lake & Served> {
  const {repository, serviceToken} = lake
  const network = await startFaultyNetwork(lake.address)
  const snapshotDir = `${repository.dir}.snapshots`
  const replicas: Replica[] = []
  let passed = 0

  async function replica(more: NodeJS.ProcessEnv = {}): Promise<Replica> {
    const settings = readServiceSettings({
      PORT: '0',
      SANITY_API_HOST: network.address,
      SANITY_API_TOKEN: serviceToken,
      SNAPSHOT_DIR: snapshotDir,
      ...environment,
      ...more,
    })
    const scripts = await scriptsFor(settings.originTrialToken)
    const systemClock = () => Date.now() + passed
    const patient = {query: PATIENCE * 1_000, ...timing}
    const {address, close} = await startService(settings, log, {
      systemClock,
      clock: systemClock,
      scripts,
      timing: patient,
    })
    let closed: Promise<void> | undefined
    const started: Replica = {
      serviceAddress: address,
      close(isDraining) {
        closed ??= close(isDraining)
        return closed
      },
      config(publicId, path, init) {
        const query = path === undefined ? '' : `?path=${encodeURIComponent(path)}`
        const headers = new Headers(init?.headers)
        for (const [name, value] of Object.entries(UNCODED)) if (!headers.has(name)) headers.set(name, value)
        return fetch(`${address}/api/sites/${publicId}/config${query}`, {...init, headers})
      },
    }
    replicas.push(started)
    return started
  }

  const service = await replica()
  await eventually(
    async () => lines,
    () => lines.some(({msg}) => msg === 'following live events'),
  )
  return Object.assign({}, lake, service, {
    network,
    lines,
    snapshotDir,
    replica,
    pass(seconds: number) {
      passed += seconds * 1_000
    },
    async close() {
      await Promise.all(replicas.map((each) => each.close()))
      await network.close()
      await lake.close()
    },
  })
}

/** With these times, a service notices in a moment that upstream is back, or that something is due. */
export const QUICK: Partial<ServiceTiming> = {
  probe: {first: 20, longest: 100},
  reconnect: {first: 20, longest: 100},
  keepFreshEvery: 100,
}

const builds = new Map<string | undefined, Promise<PageScripts>>()

/** The scripts of pages, built once for all services of a process; those without a token once for all processes of a run. */
export function scriptsFor(originTrialToken?: string): Promise<PageScripts> {
  const {RUN_FOLDER} = process.env
  const build =
    builds.get(originTrialToken) ??
    (RUN_FOLDER === undefined || originTrialToken !== undefined
      ? buildPageScripts({originTrialToken})
      : scriptsOfRun(join(RUN_FOLDER, 'pageScripts')))
  builds.set(originTrialToken, build)
  return build
}

async function scriptsOfRun(path: string): Promise<PageScripts> {
  const kept = await readFile(path).catch(() => undefined)
  if (kept !== undefined) return deserialize(kept)
  const scripts = await buildPageScripts({originTrialToken: undefined})
  const written = `${path}.${process.pid}`
  await writeFile(written, serialize(scripts))
  await rename(written, path)
  return scripts
}

/** Requests an uncompressed response. */
export const UNCODED = {'accept-encoding': 'identity'}
