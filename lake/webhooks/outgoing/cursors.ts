import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {atomicWrite, ensureDirectory, fileModeIn, OWNER_ONLY} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'
import {isJsonObject} from '../../../common/json.ts'

export type CursorsOptions = {
  /** The name of the file. */
  readonly file: string
  /** Matches a valid cursor. Others are ignored. */
  readonly pattern: RegExp
}

/**
 * Stores for each webhook up to where everything was delivered, such as the last commit. It is in the Git folder,
 * which no clone copies.
 */
export class Cursors {
  readonly #directory: string
  readonly #options: CursorsOptions
  readonly #cursors = new Map<string, string>()

  constructor(gitDir: string, options: CursorsOptions) {
    this.#directory = join(gitDir, 'handrail')
    this.#options = options
  }

  /** Reads the file. A missing or damaged one is empty. @throws the error of the file system */
  async load(): Promise<void> {
    try {
      const parsed: unknown = JSON.parse(await readFile(this.#path, 'utf8'))
      for (const [hook, cursor] of Object.entries(isJsonObject(parsed) ? parsed : {}))
        if (typeof cursor === 'string' && this.#options.pattern.test(cursor)) this.#cursors.set(hook, cursor)
    } catch (error) {
      if (!(error instanceof SyntaxError) && errorCode(error) !== 'ENOENT') throw error
    }
  }

  get(hook: string): string | undefined {
    return this.#cursors.get(hook)
  }

  /** @throws the error of the file system */
  async set(hook: string, cursor: string): Promise<void> {
    // Kept in memory even if it cannot be stored, so that it is not tried again for the same cursor.
    this.#cursors.set(hook, cursor)
    await ensureDirectory(this.#directory, OWNER_ONLY)
    const text = JSON.stringify(Object.fromEntries(this.#cursors))
    await atomicWrite(this.#path, text, {mode: await fileModeIn(this.#directory), prefix: '.webhooks-'})
  }

  get #path(): string {
    return join(this.#directory, this.#options.file)
  }
}
