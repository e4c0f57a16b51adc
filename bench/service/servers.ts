import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {metricsOf} from '../../test/support/metrics.ts'
import {startServiceProcess} from '../../test/support/serviceProcess.ts'
import type {Run} from '../report.ts'
import {type Cores, pin} from './cores.ts'
import {startProgram} from './program.ts'

/** A server in a separate process. */
export type Server = {
  name: string
  pid: number
  address: string
  /** Whether its metrics tell the source of its responses. */
  isService: boolean
}

/** Number of cache hits and of all responses of a service. */
export type Answers = {hits: number; all: number}

/** Starts a bare Fastify, which sends finished bodies from a folder. */
export async function startBaseline(
  folder: string,
  cores: Cores,
  run: Pick<Run, 'cleanup'>,
): Promise<Server> {
  const {pid, greeting} = await startProgram('fastify', {args: [folder], role: 'server', cores}, run)
  return {name: 'bare Fastify', pid, address: greeting, isService: false}
}

/**
 * Starts the service as an operator would, with all its work for each request, before a simulated Content Lake.
 * @param settings in addition to those required here.
 */
export async function startBenchedService(
  cores: Cores,
  run: Pick<Run, 'cleanup'>,
  settings: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const upstream = await startProgram('upstream', {role: 'others', cores}, run)
  const dir = await temporaryFolder(run)
  const starting = startServiceProcess({
    SANITY_API_HOST: upstream.greeting,
    SNAPSHOT_DIR: dir,
    // Requests are counted, but none is rejected.
    RATE_LIMIT_MAX: '1000000000',
    DRAIN_SECONDS: '0',
    ...settings,
  })
  // If the benchmark ends during startup, the service must end too. SIGKILL, so that nothing waits for its
  // writes to disk.
  run.cleanup.defer(async () => (await starting.catch(() => undefined))?.end('SIGKILL'))
  const service = await starting
  await pin(service.pid, 'server', cores)
  return {name: 'service', pid: service.pid, address: service.address, isService: true}
}

export async function answersOf(address: string): Promise<Answers> {
  const {samples} = await metricsOf(address)
  const answers: Answers = {hits: 0, all: 0}
  for (const [series, value] of samples) {
    if (series.startsWith('handrail_site_requests_total')) answers.all += value
    if (series === 'handrail_site_requests_total{answer="hit"}') answers.hits += value
  }
  return answers
}

/** Creates a folder that is removed when the benchmark ends. */
export async function temporaryFolder({cleanup}: Pick<Run, 'cleanup'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-bench-'))
  cleanup.defer(() => rm(folder, {recursive: true, force: true, maxRetries: 3}))
  return folder
}
