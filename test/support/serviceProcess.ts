import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {recordOf} from './answers.ts'

/** The service in its own process, started as in its image. */
export type ServiceProcess = {
  address: string
  pid: number
  /** Stops it, and waits until it has exited. SIGKILL allows no cleanup. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const program = fileURLToPath(new URL('../../service/main.ts', import.meta.url))

/** Timeout of a start, in milliseconds. */
const PATIENCE = 60_000

/** Starts the service on a free port. Resolves when the service logs where it listens. */
export async function startServiceProcess(environment: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [program], {
    env: {...process.env, HOST: '127.0.0.1', PORT: '0', ...environment},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const end: ServiceProcess['end'] = async (signal) => {
    child.kill(signal)
    await ended
  }
  const {promise: address, resolve, reject} = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new Error('the service did not start in time')), PATIENCE) // a bound for the wait
  ended.then(() => reject(new Error('the service ended')))
  createInterface({input: child.stdout}).on('line', (line) => {
    const [, found] = /^service at (http:[^,]+),/.exec(String(recordOf(JSON.parse(line)).msg)) ?? []
    if (found !== undefined) resolve(found)
  })
  try {
    return {address: await address, pid: child.pid ?? 0, end}
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}
