import {randomUUID} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import {atomicWrite, syncDirectory} from '../../common/atomicWrite.ts'
import {errorCode} from '../../common/errorCode.ts'
import {isJsonObject} from '../../common/json.ts'
import {openStateFolder} from '../stateFolder.ts'

/** What is stored of a lake that was ever a standby, or that another one replaced. Others are primaries. */
type Stored = {
  readonly role: 'primary' | 'standby'
  /** Names this lake in the commit that promotes it. */
  readonly id: string
  /** Whether it was promoted without the remote, which does not say yet that it is the primary. */
  readonly isUnclaimed?: true
}

type RoleOptions = {
  /** Whether the lake was started as a standby. */
  readonly follows: boolean
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Milliseconds between two checks of whether a command has promoted a standby. Default: 1,000. */
  readonly checkEvery?: number | undefined
}

/**
 * Whether a lake accepts changes, or follows the primary. The file is not in the database, because a standby gets that of the
 * primary from a backup.
 */
export class LakeRole {
  readonly #gitDir: string
  readonly #options: RoleOptions
  #stored: Stored | undefined
  #timer: NodeJS.Timeout | undefined

  private constructor(gitDir: string, options: RoleOptions) {
    this.#gitDir = gitDir
    this.#options = options
    this.#stored = readRole(gitDir)
  }

  /**
   * Writes nothing unless the lake becomes a standby: other lakes start on a disk that is full, too.
   * @throws Error with one line if the file is damaged, or the error of the file system
   */
  static async open(gitDir: string, options: RoleOptions): Promise<LakeRole> {
    const role = new LakeRole(gitDir, options)
    const {follows, logger} = options
    if (follows && role.#stored?.role === 'primary')
      logger.warn('LAKE_FOLLOW has no effect: this lake was promoted. Set GIT_REMOTE in its place')
    else if (follows && !role.isStandby) await role.#store('standby')
    return role
  }

  get id(): string | undefined {
    return this.#stored?.id
  }

  get isStandby(): boolean {
    return this.#stored?.role === 'standby'
  }

  /** Whether the lake is read-only although it was not started as a standby. */
  get isReplaced(): boolean {
    return this.isStandby && !this.#options.follows
  }

  /** Whether the remote must still learn that this lake was promoted. */
  get isUnclaimed(): boolean {
    return !this.isStandby && this.#stored?.isUnclaimed === true
  }

  /** The remote says that this lake is the primary. */
  async claimed(): Promise<void> {
    await this.#store('primary')
    this.#options.logger.warn('the remote says now that this lake is the primary: an old one stops')
  }

  /** Stops accepting changes, because another lake was promoted. */
  async replace(): Promise<void> {
    await this.#store('standby')
    this.#options.logger.error(
      'another lake was promoted: this one accepts no changes any more, and follows the remote. To make it the primary again, run "npm run lake -- promote"',
    )
  }

  /**
   * Starts to accept changes: for the command, next to the running lake or without it.
   * @param isUnclaimed whether the lake must say so in the remote, because the command did not
   */
  async promote(isUnclaimed: boolean): Promise<void> {
    await this.#store('primary', isUnclaimed)
  }

  /** @param onPromoted called when a command has promoted this standby */
  watch(onPromoted: () => void): void {
    const {logger, checkEvery = 1_000} = this.#options
    this.#timer = setInterval(() => {
      if (!this.isStandby) return
      try {
        this.#stored = readRole(this.#gitDir)
      } catch {
        // The command replaces the file atomically; a damaged one changes nothing while the lake runs.
        return
      }
      if (this.isStandby) return
      logger.warn('promoted: this lake accepts changes now')
      onPromoted()
    }, checkEvery)
    this.#timer.unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #store(role: Stored['role'], isUnclaimed = false): Promise<void> {
    const stored: Stored = {role, id: this.#stored?.id ?? randomUUID(), ...(isUnclaimed && {isUnclaimed})}
    const folder = await openStateFolder(this.#gitDir)
    await atomicWrite(join(folder, FILE), `${JSON.stringify(stored)}\n`, {
      mode: 0o600,
      prefix: `${FILE}-`,
    })
    await syncDirectory(folder)
    this.#stored = stored
  }
}

const FILE = 'role.json'

function readRole(gitDir: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(gitDir, 'handrail', FILE), 'utf8'))
    const {role, id, isUnclaimed} = isJsonObject(value) ? value : {}
    if ((role === 'primary' || role === 'standby') && typeof id === 'string')
      return {role, id, ...(isUnclaimed === true && {isUnclaimed})}
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
  }
  throw new Error(
    `handrail/${FILE} in the content repository is damaged: delete it if this lake is the primary; otherwise also set LAKE_FOLLOW`,
  )
}
