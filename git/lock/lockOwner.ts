import {randomUUID} from 'node:crypto'
import {readFile, readlink} from 'node:fs/promises'
import {hostname} from 'node:os'
import {errorCode} from '../../common/errorCode.ts'
import {isJsonObject} from '../../common/json.ts'

/** The holder of a repository, as recorded in the lock file. */
export type LockOwner = {
  readonly token: string
  readonly who: string
  readonly pid: number
  readonly host: string
  /** ISO 8601. */
  readonly since: string
  /** The PID namespace of the pid: each container has its own. Empty if unknown. */
  readonly space: string
  /** Tells a process from a later one with the same pid. Empty if unknown. */
  readonly started: string
}

/** Describes this process as a lock holder. */
export async function thisProcess(who: string): Promise<LockOwner> {
  return {
    token: randomUUID(),
    who,
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    space: await processSpace(),
    started: await startOf(process.pid),
  }
}

/** Parses a lock file; undefined if it is not one of ours. */
export function parseLockOwner(text: string): LockOwner | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  const {token, who, pid, host, since, space, started} = value
  return typeof token === 'string' &&
    typeof who === 'string' &&
    typeof pid === 'number' &&
    typeof host === 'string' &&
    typeof since === 'string' &&
    typeof space === 'string' &&
    typeof started === 'string'
    ? {token, who, pid, host, since, space, started}
    : undefined
}

/** A short description of a holder, for an error. */
export function describeOwner(holder: LockOwner | undefined): string {
  if (holder === undefined) return 'an unknown process'
  return `${holder.who} (process ${holder.pid} on ${holder.host}, since ${holder.since})`
}

/**
 * Whether a holder still runs, as far as this host can tell. For another host, only the heartbeat shows it.
 */
export async function ownerState(holder: LockOwner | undefined): Promise<'alive' | 'dead' | 'unknown'> {
  if (holder === undefined) return 'unknown'
  if (holder.host !== hostname() || holder.space !== (await processSpace())) return 'unknown'
  if (!exists(holder.pid)) return 'dead'
  const started = await startOf(holder.pid)
  if (started === '' || holder.started === '') return 'unknown'
  return started === holder.started ? 'alive' : 'dead'
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process may belong to another user.
    return errorCode(error) === 'EPERM'
  }
}

/** https://man7.org/linux/man-pages/man7/pid_namespaces.7.html */
async function processSpace(): Promise<string> {
  return readlink('/proc/self/ns/pid').catch(() => '')
}

/**
 * When a process started, by the clock of this boot:
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
async function startOf(pid: number): Promise<string> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ])
    // The second field is the program's name in parentheses, and may contain any character.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return ticks === undefined ? '' : `${boot.trim()} ${ticks}`
  } catch {
    return ''
  }
}
