import {stat, statfs} from 'node:fs/promises'
import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../common/background.ts'
import {errorMessage} from '../common/errorMessage.ts'
import type {LogHealth} from '../common/log/log.ts'
import {labelOf} from '../content/document.ts'
import type {DocumentStore} from '../content/store.ts'
import {readBranch} from '../git/branch.ts'
import type {HeadFollower} from '../git/headFollower.ts'
import type {ConflictCode} from '../git/remote/conflicts.ts'
import type {RemoteSync} from '../git/remote/remoteSync.ts'
import type {Access} from './access/access.ts'
import {failedIn} from './releases/releaseSchedule.ts'
import type {OpenContent} from './start/openContent.ts'
import {overtakenIn, releaseOf} from './write/transaction/releases/building.ts'
import {titleOf} from './write/transaction/releases/release.ts'
import type {ReviewRules} from './write/transaction/reviewRules.ts'
import {Workspace} from './write/transaction/workspace.ts'

/** The parts of a lake that may have a problem. */
export type LakeParts = OpenContent & {
  readonly follower: HeadFollower
  readonly access: Access
  readonly pusher: RemoteSync
  /** Why the Git host refused the newest branch of a review. */
  readonly reviewBranches: {readonly refused: string | undefined} | undefined
  /** With the hosts of those whose last delivery failed, and how many deliveries are pending. */
  readonly webhooks: {readonly failing: readonly string[]; readonly pending: number}
  readonly log: LogHealth
  readonly store: DocumentStore
  readonly reviewRules: ReviewRules
}

/** Something is wrong, but documents are still served. */
type Found = {
  /** What is wrong and what to do. Public: it contains no path and no host of the machine. */
  readonly message: string
  /** For the log. Editors see the `reason`. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Looks for a problem. It must be quick, and never throw. */
type Check = (lake: LakeParts) => Found | undefined | Promise<Found | undefined>

/** Bytes of free space below which a disk counts as full: one transaction may take several megabytes. */
const LEAST_FREE = 16 * 1024 * 1024

/** Milliseconds after which a Git lock counts as left by a killed command. */
const LEFT_AFTER = 60_000

/** Documents that a lake is made for: up to here, its limits of time and memory refuse nothing that Studio and the service ask for. */
export const MAX_DOCUMENTS = 10_000

/** Maximum files to name in a message. */
const MAX_NAMED = 3

/** Maximum versions of scheduled releases to name in the log and in Studio. */
const MAX_OVERTAKEN = 20

/** A person has to decide before anything is pushed. */
function conflict(conflictCode: ConflictCode, message: string): Check {
  return ({
    pusher: {
      state: {state, code = 'PUSH_CONFLICT', lastError},
    },
  }) => (state === 'conflict' && code === conflictCode ? {message, details: {reason: lastError}} : undefined)
}

/** By the codes of /readyz and of the metric `lake_problem`. docs/monitoring.md says what to do about each. */
const CHECKS = {
  /** Checks the disks of the repository and of the database in its folder, which may be a mount of its own. */
  async DISK_FULL({folder: {gitDir}}) {
    for (const path of [gitDir, join(gitDir, 'handrail')]) {
      const disk = await statfs(path).catch(() => undefined)
      const free = disk === undefined ? undefined : disk.bavail * disk.bsize
      if (free === undefined || free >= LEAST_FREE) continue
      const message = 'The disk of the content repository is full or nearly full: free some space'
      return {message, details: {path, freeBytes: free}}
    }
    return undefined
  },

  /** Checks that no lock of Git blocks HEAD and its branch. */
  async GIT_LOCK_LEFT({folder: {root}}) {
    const branch = await readBranch(root)
    const left: string[] = []
    for (const name of ['HEAD', ...(branch === undefined ? [] : [branch])]) {
      const found = await stat(join(root, `${name}.lock`)).catch(() => undefined)
      if (found !== undefined && Math.abs(Date.now() - found.mtimeMs) >= LEFT_AFTER) left.push(`${name}.lock`)
    }
    if (left.length === 0) return undefined
    const message =
      `A Git command has held ${left.join(', ')} in the content repository for more than a minute, or was killed while it held it. ` +
      'If no Git command is running there, delete the file: publishing waits for it'
    return {message, details: {paths: left.map((name) => join(root, name))}}
  },

  CONTENT_UNREADABLE({follower}) {
    if (!follower.failing) return undefined
    const message =
      'The content repository cannot be read; the lake serves its last good state. The log says what is wrong'
    return {message}
  },

  DOCUMENT_BROKEN({repository}) {
    const spoiled = repository.invalid.filter(({wasServed}) => wasServed)
    const [first] = spoiled
    if (first === undefined) return undefined
    const names = nameSome(spoiled.map(({path}) => path))
    const message = `A commit broke ${names}; not served any more. Correct it, or revert the commit. The log has the reason`
    return {message, details: {path: first.path, reason: first.reason}}
  },

  /** Checks that releases were published at their time. Titles are for editors only. */
  RELEASE_FAILED({store}) {
    const failed = failedIn(store)
    if (failed.length === 0) return undefined
    const message =
      failed.length === 1
        ? 'A scheduled release was not published'
        : `${failed.length} scheduled releases were not published`
    const reason = failed.map((release) => `“${titleOf(release)}”: ${release.error?.message}`).join(' ')
    return {message, details: {reason}}
  },

  /** Checks, before their time, that others have not changed what scheduled releases change. */
  RELEASE_OVERTAKEN({store, journal, reviewRules}) {
    const workspace = new Workspace(store, journal.drafts)
    const overtaken = overtakenIn(workspace, reviewRules)
    if (overtaken.length === 0) return undefined
    const reason = overtaken
      .flatMap((version) => {
        const release = releaseOf(version, workspace)
        return release === undefined
          ? []
          : `“${titleOf(release)}” (${release.publishAt}): ${version._type} “${labelOf(version)}”.`
      })
      .slice(0, MAX_OVERTAKEN)
      .join(' ')
    const message =
      'Others changed the same fields, or reviewed documents, of scheduled releases, which will not be published at their time: ' +
      'unschedule them, and add these documents again'
    return {message, details: {reason}}
  },

  /** Checks that no two documents share a unique value, which only a commit can cause. */
  VALUE_SHARED({unique: {shared}}) {
    const [first, ...others] = shared
    if (first === undefined) return undefined
    const {rule, value, holders} = first
    const paths = holders.map(({id, type}) => `${type}/${id}.json`)
    const message = `${nameSome(paths)} have the same ${rule.label}, "${value}"${andMore(others)}. ${rule.ifShared}`
    const details = {
      shared: shared.slice(0, MAX_NAMED).map(({value, holders}) => ({value, ids: holders.map(({id}) => id)})),
    }
    return {message, details}
  },

  TOO_MANY_DOCUMENTS({store}) {
    return sizeProblem(store.view('published').size)
  },

  STATE_LOST({state}) {
    if (state.loss === undefined) return undefined
    const message =
      'The database of the lake (state.db) was moved, deleted or replaced: nothing can be saved. Put it back, or restart the lake'
    return {message}
  },

  STATE_DAMAGED({state, access}) {
    if (state.loss !== undefined) return undefined
    try {
      access.accounts.editors()
      return undefined
    } catch (error) {
      const message =
        'The database of the lake (state.db) cannot be read: nothing can be saved, and no one can sign in. The log says why'
      return {message, details: {reason: errorMessage(error)}}
    }
  },

  WRITES_FAILING({journal}) {
    journal.retry()
    const reason = journal.failure
    return reason === undefined ? undefined : {message: `The last write could not be saved: ${reason}`}
  },

  SIGN_IN_FAILING({access: {singleSignOn}}) {
    const reason = singleSignOn?.provider.problem
    if (reason === undefined) return undefined
    const message =
      'The provider of single sign-on cannot be used: no one can sign in with it, and open sessions go on. The log says why'
    return {message, details: {reason}}
  },

  LOG_FAILING({log: {isLosingLines, lostLines}}) {
    if (!isLosingLines) return undefined
    const message = `The log cannot be written: ${lostLines} lines were lost. Free some space where it is stored`
    return {message, details: {lostLines}}
  },

  PUSH_FAILING({pusher}) {
    const {state, lastError} = pusher.state
    if (state !== 'failing') return undefined
    const message =
      'Commits cannot be pushed to the remote. They are safe locally, and the push is retried. The log says why it fails'
    // The reason contains the address of the remote, and words of its host.
    return {message, details: {reason: lastError}}
  },

  PUSH_CONFLICT: conflict(
    'PUSH_CONFLICT',
    'The remote has commits that conflict with those of the lake: merge them in a clone, and push the merge to the remote. The log names the files',
  ),
  REMOTE_REWRITTEN: conflict(
    'REMOTE_REWRITTEN',
    'The history of the remote was rewritten: commits were removed there. Nothing is pushed until a person ' +
      'follows the remote, or pushes the commits again. The log says how',
  ),
  REMOTE_BRANCH_MISSING: conflict(
    'REMOTE_BRANCH_MISSING',
    'The remote does not have the branch that is served. Nothing is pushed until a person renames the branch ' +
      'here, or creates it there. The log says how',
  ),

  REVIEW_BRANCH_REFUSED({reviewBranches}) {
    const reason = reviewBranches?.refused
    if (reason === undefined) return undefined
    const message =
      'The Git host refuses the branch of a review, which goes on without one. Allow branches “review/…” there, and rename ' +
      'a branch “review”; or set LAKE_REVIEW_BRANCHES to off. The log says why'
    return {message, details: {reason}}
  },

  WEBHOOK_FAILING({webhooks: {failing: hosts}}) {
    if (hosts.length === 0) return undefined
    const message = 'A webhook cannot be delivered, and is retried. The log names its host and the error'
    return {message, details: {hosts}}
  },
} satisfies Readonly<Record<string, Check>>

/** Whether there are more published documents than a lake is made for. */
export function sizeProblem(count: number): Found | undefined {
  if (count <= MAX_DOCUMENTS) return undefined
  const message =
    `The lake has ${count} documents, and is made for ${MAX_DOCUMENTS}: it gets slower, and may refuse queries about all of them. ` +
    'Move the content to hosted Sanity'
  return {message}
}

function nameSome(paths: readonly string[]): string {
  return paths.length > MAX_NAMED
    ? `${paths.slice(0, MAX_NAMED).join(', ')} and ${paths.length - MAX_NAMED} more`
    : paths.join(' and ')
}

function andMore({length}: readonly unknown[]): string {
  return length > 0 ? ` (and ${length} more)` : ''
}

export type ProblemCode = keyof typeof CHECKS

/** A problem that a lake has now. */
export type Problem = Found & {readonly code: ProblemCode}

const isCode = (name: string): name is ProblemCode => Object.hasOwn(CHECKS, name)

export const PROBLEM_CODES: readonly ProblemCode[] = Object.keys(CHECKS).filter(isCode)

/** Milliseconds between two background checks, so that a problem is logged soon even without requests. */
const CHECK_INTERVAL = 5_000

/** Milliseconds for which a result is cached: the endpoint is public, and may be called at any rate. */
const HOLDS_FOR = 500

/** Runs the checks, and logs when a problem begins and ends. */
export class Readiness {
  readonly #lake: LakeParts
  readonly #logger: FastifyBaseLogger
  #known = new Map<ProblemCode, Problem>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(lake: LakeParts, logger: FastifyBaseLogger) {
    this.#lake = lake
    this.#logger = logger
  }

  /** The current problems, one for each code. */
  async problems(): Promise<readonly Problem[]> {
    if (performance.now() - this.#lookedAt >= HOLDS_FOR) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined
      })
      await this.#looking
    }
    return [...this.#known.values()]
  }

  /** Checks at once, and then at regular intervals. */
  async start(): Promise<void> {
    await this.problems()
    const onFailure = (err: unknown) => this.#logger.error({err}, 'the checks of readiness failed')
    this.#timer = setInterval(() => inBackground(() => this.problems(), {onFailure}), CHECK_INTERVAL)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    const now = new Map<ProblemCode, Problem>()
    for (const code of PROBLEM_CODES) {
      const found = await CHECKS[code](this.#lake)
      if (found !== undefined) now.set(code, {code, ...found})
    }
    for (const [code, {message, details}] of now) {
      if (!this.#known.has(code)) this.#logger.warn({...details, code}, message)
    }
    for (const code of this.#known.keys()) {
      if (!now.has(code)) this.#logger.info({code}, 'problem resolved')
    }
    this.#known = now
    this.#lookedAt = performance.now()
  }
}
