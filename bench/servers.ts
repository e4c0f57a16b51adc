import {execFileSync, fork} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {mkdtempDisposable} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {startServiceProcess} from '../test/support/serviceProcess.ts'
import type {Run} from './report.ts'
import {upstreamAddress} from './upstream.ts'

/** A server in a separate process. */
export type Server = {readonly name: string; readonly pid: number; readonly address: string}

/** The measured server runs on one core, all other processes on another, if there are two. */
const [, serverCore, otherCore] =
  /^Cpus_allowed_list:\s*(\d+)[-,](\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []

function pin(pid: number, core = otherCore): void {
  if (otherCore !== undefined) execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)])
}

pin(process.pid)

/** Starts a bare Fastify, which sends bodies of these sizes. */
export async function startBaseline(sizes: readonly string[], run: Pick<Run, 'cleanup'>): Promise<Server> {
  const child = fork(new URL('./fastify.ts', import.meta.url), sizes)
  run.cleanup.defer(() => void child.kill('SIGKILL'))
  const [address]: unknown[] = await once(child, 'message', {signal: AbortSignal.timeout(30_000)})
  const pid = child.pid ?? 0
  pin(pid, serverCore)
  return {name: 'bare Fastify', pid, address: String(address)}
}

/** Starts the service as an operator would, before a simulated Content Lake. No request is rejected. */
export async function startService(
  run: Pick<Run, 'cleanup'>,
  name = 'service',
  settings: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const needed = {
    SANITY_API_HOST: upstreamAddress,
    SNAPSHOT_DIR: await temporaryFolder(run),
    RATE_LIMIT_MAX: '1000000000',
  }
  const starting = startServiceProcess({...needed, ...settings})
  // If the benchmark ends during startup, the service must end too.
  run.cleanup.defer(async () => (await starting.catch(() => undefined))?.end('SIGKILL'))
  const {pid, address} = await starting
  pin(pid, serverCore)
  return {name, pid, address}
}

/** Creates a folder that is removed when the benchmark ends. */
export async function temporaryFolder({cleanup}: Pick<Run, 'cleanup'>): Promise<string> {
  return cleanup.use(await mkdtempDisposable(join(tmpdir(), 'handrail-bench-'))).path
}
