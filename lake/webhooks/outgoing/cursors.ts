import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {atomicWrite, ensureDirectory, fileModeIn, OWNER_ONLY} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'
import {isJsonObject} from '../../../common/json.ts'

/**
 * Stores for each webhook the commit up to which everything was delivered. It is in the Git folder, which no
 * clone copies.
 */
export class Cursors {
  readonly #directory: string
  readonly #commits = new Map<string, string>()

  constructor(gitDir: string) {
    this.#directory = join(gitDir, 'handrail')
  }

  /** Reads the file. A missing or damaged one is empty. @throws the error of the file system */
  async load(): Promise<void> {
    try {
      const parsed: unknown = JSON.parse(await readFile(this.#path, 'utf8'))
      for (const [hook, commit] of Object.entries(isJsonObject(parsed) ? parsed : {}))
        if (typeof commit === 'string' && /^[0-9a-f]{40,64}$/.test(commit)) this.#commits.set(hook, commit)
    } catch (error) {
      if (!(error instanceof SyntaxError) && errorCode(error) !== 'ENOENT') throw error
    }
  }

  get(hook: string): string | undefined {
    return this.#commits.get(hook)
  }

  /** @throws the error of the file system */
  async set(hook: string, commit: string): Promise<void> {
    // Kept in memory even if it cannot be stored, so that it is not tried again for the same commit.
    this.#commits.set(hook, commit)
    await ensureDirectory(this.#directory, OWNER_ONLY)
    const text = JSON.stringify(Object.fromEntries(this.#commits))
    await atomicWrite(this.#path, text, {mode: await fileModeIn(this.#directory), prefix: '.webhooks-'})
  }

  get #path(): string {
    return join(this.#directory, 'webhooks.json')
  }
}
