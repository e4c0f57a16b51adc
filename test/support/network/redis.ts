import {type ChildProcess, execFile, spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {eventually, PATIENCE} from '../eventually.ts'
import {freePort} from './ports.ts'

/** A real Redis on its own port, which tests can stop and kill. */
export type RunningRedis = {
  port: number
  url: string
  readonly pid: number
  /** Runs `redis-cli` with these arguments and returns its output. */
  command(...args: string[]): Promise<string>
  /** Sends the process a signal: SIGSTOP makes it hang, SIGCONT continue. */
  signal(signal: NodeJS.Signals): void
  /** Kills it, as a power cut would. */
  kill(): Promise<void>
  /** Restarts it on the same port, empty. */
  restart(): Promise<void>
  dispose(): Promise<void>
}

/** Whether this machine has Redis. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** @param options command-line options, such as `--requirepass`. */
export async function startRedis(options: string[] = [], port?: number): Promise<RunningRedis> {
  return redisAt(port ?? (await freePort()), options)
}

async function redisAt(port: number, options: string[]): Promise<RunningRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-redis-'))
  let child: ChildProcess

  const command = async (...args: string[]) => {
    const {stdout} = await promisify(execFile)('redis-cli', ['-p', String(port), ...args], {
      timeout: PATIENCE * 1_000,
    })
    return stdout.trim()
  }
  async function start(): Promise<void> {
    const persistence = ['--save', '', '--appendonly', 'no']
    child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, ...persistence, ...options],
      {stdio: 'ignore'},
    )
    // It may require a password, which is a reply too.
    await eventually(() => command('PING').catch(() => ''), /PONG|NOAUTH/)
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0
    },
    command,
    signal: (signal) => {
      child.kill(signal)
    },
    kill,
    restart: start,
    async dispose() {
      await kill()
      await rm(dir, {recursive: true, force: true})
    },
  }
}
