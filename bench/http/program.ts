import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import type {Run} from '../run.ts'
import {type Cores, pin, type Role} from './cores.ts'

/** One of the benchmark's own programs, in a process of its own. It ends when this process does. */
export type Program = {
  pid: number
  /** What it said when it was ready: a server says where it listens. */
  greeting: string
  /** Asks it, and waits for its answer. */
  ask(question: unknown, patience: number): Promise<unknown>
}

/** Milliseconds that a program may take to start. */
const START_PATIENCE = 30_000

/** Starts a program of `programs/` and answers when it is ready. */
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
  if (pid === undefined) throw new Error(`${name} cannot be started`)
  cleanup.defer(() => ended(child))
  const exit = once(child, 'exit').then(() => {
    throw new Error(`${name} ended`)
  })
  // Whoever asks hears of it.
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

/** Ends a process at once: none has anything to lose. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
