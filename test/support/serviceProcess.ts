import {fileURLToPath} from 'node:url'
import {runProgram} from './program.ts'

/** The service in its own process, started as in its image. */
export type ServiceProcess = {
  address: string
  pid: number
  /** Stops it, and waits until it has exited. SIGKILL allows no cleanup. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const program = fileURLToPath(new URL('../../service/main.ts', import.meta.url))

/** Starts the service on a free port. Resolves when the service logs where it listens. */
export async function startServiceProcess(environment: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const env = {...process.env, HOST: '127.0.0.1', PORT: '0', ...environment}
  const {child, ended, said} = runProgram(undefined, [process.execPath, program], {env})
  const end: ServiceProcess['end'] = async (signal) => {
    child.kill(signal)
    await ended
  }
  try {
    const [, address = ''] = await said(/"service at (http:[^,"]+),/)
    return {address, pid: child.pid ?? 0, end}
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}
