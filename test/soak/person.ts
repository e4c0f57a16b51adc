import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {type TestRepository, testRepository} from '../lake/support/git.ts'
import type {Random} from './random.ts'
import {hold} from './violation.ts'

/** Files of documents that only the person with this name writes. */
function pathsOf(name: string): string[] {
  return ['a.json', 'a.md', 'b.json', 'c.json'].map((file) => `memo/${name}-${file}`)
}

/**
 * How long a person retries a push while others move the branch, in milliseconds. A killed Git process may hold the
 * lock of the branch until the next lake has started, which may be killed during its start.
 */
const patience = 60_000

/** A person pauses at least this many times as long as a commit takes. */
const PAUSE_FACTOR = 3

/** A person who commits in a clone and pushes, whether or not the lake is running. */
export class Person {
  readonly #repository: TestRepository
  readonly #paths: readonly string[]
  readonly #clone: TestRepository
  readonly #random: Random
  readonly #texts = new Map<string, string>()
  /** Duration of the last push, in milliseconds. */
  #took = 0
  /** Commits that were made. */
  commits = 0

  /** @param folder where the clone of the person is made */
  constructor(name: string, repository: TestRepository, folder: string, random: Random) {
    this.#repository = repository
    this.#paths = pathsOf(name)
    this.#clone = testRepository(join(folder, `clone-${name}`))
    this.#random = random
  }

  /** Makes the documents. */
  async begin(more: Record<string, unknown> = {}): Promise<void> {
    for (const path of this.#paths) this.#texts.set(path, textOf(path, 'first'))
    await this.#repository.commit({...Object.fromEntries(this.#texts), ...more})
    await this.#repository.git('clone', '--quiet', '.', this.#clone.directory)
  }

  /**
   * Commits occasionally until told to stop, then finishes the current push. On a slow machine, a person who
   * does not slow down too moves the branch before every attempt of the lake, which then refuses to publish.
   */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const pause = Math.max(this.#random.between(10, 200), PAUSE_FACTOR * this.#took)
      await setTimeout(pause, undefined, {signal: stop}).catch(() => {})
      if (!stop.aborted) await this.commit()
    }
  }

  /** Changes a document, commits and pushes it. Rebases as often as others have moved the branch. */
  async commit(): Promise<void> {
    const path = this.#random.pick(this.#paths)
    const text = textOf(path, String(this.commits))
    await this.#clone.commit({[path]: text})
    const deadline = Date.now() + patience
    for (;;) {
      const begun = performance.now()
      try {
        await this.#clone.git('pull', '--quiet', '--rebase')
        await this.#clone.git('push', '--quiet')
        this.#took = performance.now() - begun
        break
      } catch (error) {
        hold(Date.now() < deadline, `a person cannot push: ${String(error)}`)
        await setTimeout(this.#random.between(5, 40))
      }
    }
    this.#texts.set(path, text)
    this.commits += 1
  }

  /**
   * Checks that every commit of the person is in the branch.
   * @throws Violation
   */
  async check(): Promise<void> {
    for (const [path, text] of this.#texts) {
      const found = await this.#repository.git('show', `HEAD:${path}`)
      hold(found === text, `${path} should be ${text} at HEAD and is ${found}`)
    }
  }
}

function textOf(path: string, value: string): string {
  if (path.endsWith('.md')) return `${value}\n`
  const [type, file = ''] = path.split('/')
  return `${JSON.stringify({_id: file.replace('.json', ''), _type: type, value}, null, 2)}\n`
}
