import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {added, type Holdings} from './holdings.ts'
import {heldByFiles} from './shared.ts'

/** Default of `grace`: milliseconds for sockets and processes that are being closed. */
const GRACE = 5_000

/** What a test file leaves in its process, which the next file would meet. */
export class Leftovers {
  readonly #folder: string
  readonly #held: Holdings
  readonly #environment = {...process.env}
  readonly #directory = process.cwd()

  /** @param folder where temporary files are created */
  constructor(folder: string) {
    this.#folder = folder
    this.#held = heldByFiles(folder)
  }

  /** @throws Error that names each folder, process, timer, socket and variable that the file left. */
  async assertNone(grace = GRACE): Promise<void> {
    const deadline = Date.now() + grace
    let found = this.#find()
    while (found.length > 0 && Date.now() < deadline) {
      await setTimeout(20) // what is being closed needs a moment
      found = this.#find()
    }
    for (const [, name = ''] of found.map((one) => /^the folder (.+)/.exec(one) ?? []))
      if (name !== '') rmSync(join(this.#folder, name), {recursive: true, force: true})
    if (found.length > 0) throw new Error(`the file leaves ${found.join(', ')}`)
  }

  #find(): string[] {
    const now = process.env
    const names = new Set([...Object.keys(now), ...Object.keys(this.#environment)])
    return [
      ...added(this.#held, heldByFiles(this.#folder)),
      ...[...names]
        .filter((name) => now[name] !== this.#environment[name])
        .map((name) => `the variable ${name}`),
      ...(process.cwd() === this.#directory ? [] : ['another working directory']),
    ]
  }
}
