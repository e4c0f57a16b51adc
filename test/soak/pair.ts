import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Cleanup} from '../../bench/cleanup.ts'
import {type ContentDocument, type ContentRepository, createContentRepository} from '../support/content.ts'
import {type FaultyNetwork, startFaultyNetwork} from '../support/network/network.ts'
import {type ServiceProcess, startServiceProcess} from '../support/serviceProcess.ts'
import {LakeProcess, SERVICE_TOKEN} from './process.ts'

/** A lake and a service in separate processes, connected by a network that can be broken. */
export type Pair = {
  repository: ContentRepository
  lake: LakeProcess
  lakeAddress: string
  network: FaultyNetwork
  service: ServiceProcess
  close(): Promise<void>
}

export type PairPlan = {
  documents: ContentDocument[]
  /** Any number of documents besides. */
  crowd?: ContentDocument[]
  /** Environment variables of the processes, besides their addresses. */
  lake?: {readonly [name: string]: string}
  service?: NodeJS.ProcessEnv
}

/** @throws Error if one of them does not start, after stopping the others */
export async function startPair({documents, crowd = [], ...environments}: PairPlan): Promise<Pair> {
  const cleanup = new Cleanup()
  try {
    const dir = await mkdtemp(join(tmpdir(), 'handrail-soak-'))
    cleanup.defer(() => rm(dir, {recursive: true, force: true, maxRetries: 3}))
    const repository = await createContentRepository(documents)
    cleanup.defer(() => repository.dispose())
    if (crowd.length > 0) await repository.commitMany(crowd)
    const lake = new LakeProcess({
      CONTENT_DIR: repository.dir,
      EDITORS_FILE: join(dir, 'editors.json'),
      ...environments.lake,
    })
    cleanup.defer(() => lake.stop())
    const lakeAddress = await lake.address
    const network = await startFaultyNetwork(lakeAddress)
    cleanup.defer(() => network.close())
    const service = await startServiceProcess({
      SANITY_API_HOST: network.address,
      SANITY_API_TOKEN: SERVICE_TOKEN,
      SNAPSHOT_DIR: join(dir, 'snapshots'),
      DRAIN_SECONDS: '0',
      ...environments.service,
    })
    cleanup.defer(() => service.end('SIGTERM'))
    return {repository, lake, lakeAddress, network, service, close: () => cleanup.run()}
  } catch (error) {
    await cleanup.run()
    throw error
  }
}
