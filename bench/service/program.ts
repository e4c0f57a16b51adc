import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import type {Run} from '../report.ts'
import {type Cores, pin, type Role} from './cores.ts'

/** A helper program of the benchmark in a separate process. It exits with this process. */
export type Program = {
  pid: number
  /** Its first message, when it was ready. Servers send their address. */
  greeting: string
  /** Sends a message and waits for the reply. */
  ask(question: unknown, patience: number): Promise<unknown>
}

/** Timeout for the start of a program, in milliseconds. */
const START_PATIENCE = 30_000

/** Starts a program from `programs/`. Resolves when it is ready. */
export async function startProgram(
  name: string,
  {args = [], role, cores}: {args?: string[]; role: Role; cores: Cores},
  {cleanup}: Pick<Run, 'cleanup'>,
): Promise<Program> {
  const file = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const {pid} = child
  if (pid === undefined) throw new Error(`cannot start ${name}`)
  cleanup.defer(() => ended(child))
  const exit = once(child, 'exit').then(() => {
    throw new Error(`${name} ended`)
  })
  // `ask` reports the exit to its caller.
  exit.catch(() => {})
  const answer = async (patience: number): Promise<unknown> => {
    const signal = AbortSignal.timeout(patience)
    const [message]: unknown[] = await Promise.race([once(child, 'message', {signal}), exit])
    return message
  }
  const greeting = String(await answer(START_PATIENCE))
  await pin(pid, role, cores)
  return {
    pid,
    greeting,
    ask(question, patience) {
      child.send({question})
      return answer(patience)
    },
  }
}

/** Kills a process. None of them has data to lose. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
