import {readFile} from 'node:fs/promises'

/** Resident memory of a process in bytes, as reported by Linux. */
export async function residentBytes(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/**
 * CPU time of all threads of a process in milliseconds, user and system, as reported by Linux in steps of
 * ten. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export async function processorTime(pid: number): Promise<number> {
  return timeIn(await fieldsOf(pid), 11, 12)
}

/** CPU time in milliseconds of the child processes that have ended, and of theirs. */
export async function childrenTime(): Promise<number> {
  return timeIn(await fieldsOf(process.pid), 13, 14)
}

/** The fields of `/proc/PID/stat` after the name of the process. */
async function fieldsOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function timeIn(fields: readonly string[], user: number, system: number): number {
  return (Number(fields[user]) + Number(fields[system])) * 10
}
