import {execFileSync, spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {startServiceProcess} from '../test/support/serviceProcess.ts'
import type {Run} from './report.ts'

/** A server in a separate process. */
export type Server = {readonly name: string; readonly pid: number; readonly address: string}

type Cleanup = Pick<Run, 'cleanup'>

/** The measured server runs on one core, all other processes on another, if there is `taskset` (util-linux). */
const [, serverCore, otherCore] =
  /^Cpus_allowed_list:\s*(\d+)[-,](\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
const isPinned = otherCore !== undefined && spawnSync('taskset', ['--version']).status === 0

function pin(pid: number, core = otherCore): void {
  if (isPinned) execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)])
}

/** The client of the benchmark is this process. */
pin(process.pid)

/** Starts a program of this folder, which sends its address when it is ready. */
async function startProgram(name: string, args: readonly string[], {cleanup}: Cleanup): Promise<Server> {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], {stdio: ['ignore', 'inherit', 'inherit', 'ipc']})
  cleanup.defer(() => void child.kill('SIGKILL'))
  const [address]: unknown[] = await once(child, 'message', {signal: AbortSignal.timeout(30_000)})
  return {name, pid: child.pid ?? 0, address: String(address)}
}

/** Starts a bare Fastify, which sends these bodies. */
export async function startBaseline(
  bodies: Readonly<Record<string, Uint8Array>>,
  run: Cleanup,
): Promise<Server> {
  const folder = await temporaryFolder(run)
  for (const [name, body] of Object.entries(bodies)) await writeFile(join(folder, name), body)
  const server = await startProgram('fastify', [folder], run)
  pin(server.pid, serverCore)
  return {...server, name: 'bare Fastify'}
}

/** Starts the service as an operator would, before a simulated Content Lake. No request is rejected. */
export async function startService(
  run: Cleanup,
  name = 'service',
  settings: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const {address: upstream} = await startProgram('upstream', [], run)
  const needed = {
    SANITY_API_HOST: upstream,
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
export async function temporaryFolder({cleanup}: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-bench-'))
  cleanup.defer(() => rm(folder, {recursive: true, force: true, maxRetries: 3}))
  return folder
}
