import {existsSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'

/** Default of `grace`: milliseconds for sockets and processes that are being closed. */
const GRACE = 5_000

/** What a test file leaves in its process, which the next file would meet. */
export class Leftovers {
  readonly #folder: string
  readonly #resources = resources()
  readonly #children = children()
  readonly #environment = {...process.env}
  readonly #directory = process.cwd()

  /** @param folder where temporary files are created */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws Error that names each folder, process, timer, socket and variable that the file left. */
  async assertNone(grace = GRACE): Promise<void> {
    const deadline = Date.now() + grace
    let found = this.#find()
    while (found.length > 0 && Date.now() < deadline) {
      await setTimeout(20) // what is being closed needs a moment
      found = this.#find()
    }
    for (const name of readdirSync(this.#folder))
      rmSync(join(this.#folder, name), {recursive: true, force: true})
    if (found.length > 0) throw new Error(`the file leaves ${found.join(', ')}`)
  }

  #find(): string[] {
    const now = process.env
    const names = new Set([...Object.keys(now), ...Object.keys(this.#environment)])
    return [
      ...readdirSync(this.#folder).map((name) => `the folder ${name}`),
      ...added(this.#children, children()).map((pid) => `the process ${pid} (${commandOf(pid)})`),
      ...added(this.#resources, resources()).map((name) => `a ${name}`),
      ...[...names]
        .filter((name) => now[name] !== this.#environment[name])
        .map((name) => `the variable ${name}`),
      ...(process.cwd() === this.#directory ? [] : ['another working directory']),
    ]
  }
}

/** Kinds of what keeps a process running: timers, servers, sockets, workers, processes. */
function resources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => !TRANSIENT.has(name))
}

/** Work in progress of the runner itself. */
const TRANSIENT = new Set(['Immediate', 'FSReqPromise', 'FSReqCallback', 'CloseReq'])

/** Process IDs of the child processes, on Linux. */
function children(): string[] {
  const path = '/proc/thread-self/children'
  const own = `/proc/self/task/${process.pid}/children`
  return existsSync(path)
    ? readFileSync(own, 'utf8')
        .split(' ')
        .filter((pid) => pid !== '')
    : []
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return 'ended'
  }
}

/** The elements of `after` that `before` has not, or has less often. */
function added(before: readonly string[], after: readonly string[]): string[] {
  const rest = [...before]
  return after.filter((element) => {
    const at = rest.indexOf(element)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}
