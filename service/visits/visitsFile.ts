import {mkdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {atomicWrite, OWNER_ONLY} from '../../common/atomicWrite.ts'
import {errorCode} from '../../common/errorCode.ts'
import {isJsonObject} from '../../common/json.ts'
import type {ServiceEvents} from '../events.ts'
import type {Visits} from './visits.ts'

const FILE = 'visits.json'

/** Raised when the format changes: other files are ignored. */
const FORMAT = 1

/** How long changes are collected before they are written, in milliseconds. A crash loses as much. */
const WRITE_AFTER = 60_000

export type VisitsFileOptions = {
  /** The folder of the snapshots. */
  readonly dir: string
  /** Identifies the content: project, dataset and lake. */
  readonly origin: string
  readonly events: ServiceEvents
  readonly writeAfter?: number
}

/** Keeps visits over a restart. If the disk is full or read-only, only that is lost. */
export class VisitsFile {
  readonly #visits: Visits
  readonly #options: VisitsFileOptions
  readonly #path: string
  #timer: NodeJS.Timeout | undefined
  #isChanged = false
  #writing = Promise.resolve()

  private constructor(visits: Visits, options: VisitsFileOptions) {
    this.#visits = visits
    this.#options = options
    this.#path = join(options.dir, FILE)
  }

  /** Reads the file, and follows the visits from now on. */
  static async open(visits: Visits, options: VisitsFileOptions): Promise<VisitsFile> {
    const file = new VisitsFile(visits, options)
    await file.#read()
    visits.onChange = () => {
      file.#isChanged = true
      file.#timer ??= setTimeout(() => void file.flush(), options.writeAfter ?? WRITE_AFTER).unref()
    }
    return file
  }

  /** Writes what has changed, after a write in progress. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    if (!this.#isChanged) return
    this.#isChanged = false
    const {dir, origin, events} = this.#options
    const sites = this.#visits.all().map(([siteId, times]) => [siteId, Object.fromEntries(times)])
    const text = JSON.stringify({format: FORMAT, origin, sites: Object.fromEntries(sites)})
    try {
      await mkdir(dir, {recursive: true, mode: OWNER_ONLY})
      await atomicWrite(this.#path, text, {mode: 0o600, prefix: 'aside-'})
    } catch (error) {
      events.emit('snapshotFailed', 'write', this.#path, error)
    }
  }

  async #read(): Promise<void> {
    try {
      const file: unknown = JSON.parse(await readFile(this.#path, 'utf8'))
      if (!isJsonObject(file) || file.format !== FORMAT || file.origin !== this.#options.origin) return
      for (const [siteId, times] of Object.entries(isJsonObject(file.sites) ? file.sites : {}))
        if (isJsonObject(times)) this.#visits.restore(siteId, new Map(Object.entries(times).filter(isTime)))
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#options.events.emit('snapshotFailed', 'read', this.#path, error)
    }
  }
}

function isTime(entry: [string, unknown]): entry is [string, number] {
  return Number.isSafeInteger(entry[1])
}
