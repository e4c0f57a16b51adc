import type {FastifyBaseLogger} from 'fastify'
import type {InvalidFile} from './documentFiles.ts'

/** Invalid files are logged one by one, up to this many per commit. */
const MAX_REPORTS = 100

/** Logs each file that cannot be used, once for each content. */
export class ProblemLog {
  readonly #logger: FastifyBaseLogger
  #reported: ReadonlySet<string> = new Set()

  constructor(logger: FastifyBaseLogger) {
    this.#logger = logger
  }

  report(invalid: readonly InvalidFile[]): void {
    const keyOf = ({path, blob, reason}: InvalidFile) => `${path} ${blob} ${reason}`
    const fresh = invalid.filter((file) => !this.#reported.has(keyOf(file)))
    this.#reported = new Set(invalid.map(keyOf))
    for (const {path, reason} of fresh.slice(0, MAX_REPORTS)) {
      this.#logger.warn({path, reason}, 'skipping a file that is not a valid document')
    }
    if (fresh.length > MAX_REPORTS) {
      this.#logger.warn(
        {files: fresh.length - MAX_REPORTS},
        'skipping more files that are not valid documents',
      )
    }
  }
}
