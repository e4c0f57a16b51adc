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
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the process, which may have spaces, ends with the last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
