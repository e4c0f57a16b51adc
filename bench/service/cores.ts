import {execFile, spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {promisify} from 'node:util'

/** The measured server runs on one core, all other processes on another. */
export type Role = 'server' | 'others'

/**
 * The cores that processes are pinned to. `undefined` if there is only one core, or no `taskset`
 * (util-linux).
 */
export type Cores = Record<Role, number> | undefined

export function coresOfThisMachine(): Cores {
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const [server, others] = parseCoreList(list)
  return server === undefined || others === undefined ? undefined : {server, others}
}

/** @param list such as `0-3,8`. https://man7.org/linux/man-pages/man7/cpuset.7.html#FORMATS */
function parseCoreList(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = '', last = first] = range.split('-')
    if (first === '') return []
    return Array.from({length: Number(last) - Number(first) + 1}, (_, index) => Number(first) + index)
  })
}

/** Pins a process, with all its current and future threads, to a core. */
export async function pin(pid: number, role: Role, cores: Cores): Promise<void> {
  if (cores) await promisify(execFile)('taskset', ['-a', '-c', '-p', String(cores[role]), String(pid)])
}
