import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {plainGet} from '../../test/support/network/plainGet.ts'
import type {Run} from '../report.ts'
import {publicIdOf, type SiteSize} from './content/siteName.ts'
import {type Cores, coresOfThisMachine} from './cores.ts'
import {type Load, startLoad} from './load.ts'
import {type Server, startBaseline, startBenchedService, temporaryFolder} from './servers.ts'

/** All participants of a run, each in a separate process. */
export type Stage = {
  cores: Cores
  load: Load
  service: Server
  fastify: Server
}

/** Bodies from the service that the baselines send too, by file name. */
export const BODIES = {
  '5kb.json': configPath({tools: 10, bytes: 5_120}),
  '10kb.json': configPath({tools: 10, bytes: 10_240}),
}

/** The same servers several times. */
export type Stages = readonly [Stage, ...Stage[]]

export async function startStages(run: Pick<Run, 'cleanup'>, count: number): Promise<Stages> {
  const cores = coresOfThisMachine()
  const load = await startLoad(cores, run)
  const start = async (): Promise<Stage> => {
    const service = await startBenchedService(cores, run)
    const folder = await temporaryFolder(run)
    for (const [name, path] of Object.entries(BODIES)) {
      const {body} = await plainGet(service.address + path, undefined)
      await writeFile(join(folder, name), body)
    }
    return {cores, load, service, fastify: await startBaseline(folder, cores, run)}
  }
  const stages: [Stage, ...Stage[]] = [await start()]
  while (stages.length < count) stages.push(await start())
  return stages
}

/** Returns the path of the config of a generated site's home page. */
export function configPath(size: SiteSize, serial: number | string = 0): string {
  return `/api/sites/${publicIdOf(size, serial)}/config?path=/`
}
