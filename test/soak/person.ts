import {setTimeout} from 'node:timers/promises'
import type {TestRepository} from '../lake/support/git.ts'
import type {Random} from './random.ts'
import {hold} from './violation.ts'

/** Documents of which nobody else writes. */
const paths = ['memo/a.json', 'memo/b.json', 'memo/c.json']

/** How a person commits: what was staged, one file, all that was changed. */
const manners = ['staged', 'only', 'all']

/** An editor that is open for so many seconds, while Git holds the index lock. The commit fails where HEAD moves meanwhile. */
const EDITOR = 'sleep 0.7; echo Change a memo >'

/**
 * Milliseconds for which a person tries to commit while the lake works at the same files of Git. A killed lake holds the
 * index lock until the next one has started, and that one may be killed while it starts.
 */
const patience = 60_000

/** Somebody who commits with Git while the lake runs, and while it does not. */
export class Person {
  readonly #repository: TestRepository
  readonly #random: Random
  readonly #texts = new Map<string, string>()
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

  /** Commits now and then until told to stop; what was begun is finished. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await setTimeout(this.#random.between(10, 200), undefined, {signal: stop}).catch(() => {})
      if (!stop.aborted) await this.commit()
    }
  }

  /** Changes a document and commits it. Where Git is busy, a person tries again. */
  async commit(): Promise<void> {
    const path = this.#random.pick(paths)
    const manner = this.#random.pick(manners)
    const text = textOf(path, `${this.commits} ${manner}`)
    await this.#repository.write(path, text)
    const deadline = Date.now() + patience
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (attempt === 1 && this.#random.chance(0.2)) {
          await this.#repository.git('-c', `core.editor=${EDITOR}`, 'commit', '--quiet', '--all')
          break
        }
        if (manner === 'staged') await this.#repository.git('add', path)
        const how = manner === 'only' ? ['--', path] : manner === 'all' ? ['--all'] : []
        await this.#repository.git('commit', '--quiet', '--message', 'Change a memo', ...how)
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
   * Holds that every commit of the person is in the branch.
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
  const [type, file = ''] = path.split('/')
  return `${JSON.stringify({_id: file.replace('.json', ''), _type: type, value}, null, 2)}\n`
}
