import {setTimeout} from 'node:timers/promises'
import type {TestRepository} from '../lake/support/git.ts'
import type {Random} from './random.ts'
import {hold} from './violation.ts'

/** Files of documents that only this person writes. */
const paths = ['memo/a.json', 'memo/a.md', 'memo/b.json', 'memo/c.json']

/** How a person commits: staged changes, one file, or all changes. */
const manners = ['staged', 'only', 'all']

/**
 * An editor that stays open for so many seconds while Git holds the index lock. The commit fails if HEAD
 * moves in the meantime.
 */
const EDITOR = 'sleep 0.7; echo Change a memo >'

/**
 * How long a person retries a commit while the lake uses the same Git files, in milliseconds. A killed lake
 * holds the index lock until the next one has started, which may be killed during its start.
 */
const patience = 60_000

/** A person pauses at least this many times as long as a commit takes. */
const PAUSE_FACTOR = 3

/** A person who commits with Git, whether or not the lake is running. */
export class Person {
  readonly #repository: TestRepository
  readonly #random: Random
  readonly #texts = new Map<string, string>()
  /** Duration of the last commit that opened no editor, in milliseconds. */
  #took = 0
  /** Commits that were made. */
  commits = 0

  constructor(repository: TestRepository, random: Random) {
    this.#repository = repository
    this.#random = random
  }

  /** Makes the documents. */
  async begin(more: Record<string, unknown>): Promise<void> {
    for (const path of paths) this.#texts.set(path, textOf(path, 'first'))
    await this.#repository.commit({...Object.fromEntries(this.#texts), ...more})
  }

  /**
   * Commits occasionally until told to stop, then finishes the current commit. On a slow machine, a person who
   * does not slow down too moves the branch before every attempt of the lake, which then refuses to publish.
   */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const pause = Math.max(this.#random.between(10, 200), PAUSE_FACTOR * this.#took)
      await setTimeout(pause, undefined, {signal: stop}).catch(() => {})
      if (!stop.aborted) await this.commit()
    }
  }

  /** Changes a document and commits it. Retries while Git is busy. */
  async commit(): Promise<void> {
    const path = this.#random.pick(paths)
    const manner = this.#random.pick(manners)
    const text = textOf(path, `${this.commits} ${manner}`)
    await this.#repository.write(path, text)
    const deadline = Date.now() + patience
    for (let attempt = 1; ; attempt += 1) {
      const begun = performance.now()
      try {
        if (attempt === 1 && this.#random.chance(0.2)) {
          await this.#repository.git('-c', `core.editor=${EDITOR}`, 'commit', '--quiet', '--all')
          break
        }
        if (manner === 'staged') await this.#repository.git('add', path)
        const how = manner === 'only' ? ['--', path] : manner === 'all' ? ['--all'] : []
        await this.#repository.git('commit', '--quiet', '--message', 'Change a memo', ...how)
        this.#took = performance.now() - begun
        break
      } catch (error) {
        hold(Date.now() < deadline, `a person cannot commit: ${String(error)}`)
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
