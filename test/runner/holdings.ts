import {existsSync, readdirSync, readFileSync} from 'node:fs'

/** What a process holds: temporary folders, child processes, and what keeps it running, such as a timer. */
export type Holdings = readonly string[]

/**
 * What this process holds now.
 * @param folder where temporary files are created
 */
export function holdingsNow(folder: string): Holdings {
  return [
    ...readdirSync(folder).map((name) => `the folder ${name}`),
    ...children().map((pid) => `the process ${pid} (${commandOf(pid)})`),
    ...process
      .getActiveResourcesInfo()
      .filter((name) => !TRANSIENT.has(name))
      .map((name) => `a ${name}`),
  ]
}

/** The elements of `after` that `before` has not, or has less often. */
export function added(before: Holdings, after: Holdings): Holdings {
  const rest = [...before]
  return after.filter((element) => {
    const at = rest.indexOf(element)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}

/** Work in progress of the runner itself. */
const TRANSIENT = new Set(['Immediate', 'FSReqPromise', 'FSReqCallback', 'CloseReq'])

/** esbuild with the first build, and a lake with the first command of Git, start a process that ends with this one. */
const KEPT = /\/esbuild --service=|\/git\/launcher\/program\.ts/

/** Process IDs of the child processes, on Linux. */
function children(): string[] {
  const path = '/proc/thread-self/children'
  const own = `/proc/self/task/${process.pid}/children`
  const pids = existsSync(path) ? readFileSync(own, 'utf8').split(' ') : []
  return pids.filter((pid) => pid !== '' && !KEPT.test(commandOf(pid)))
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return 'ended'
  }
}
