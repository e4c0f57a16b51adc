import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../../common/background.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {isReviewId, REVIEW_PREFIX} from '../../content/ids.ts'
import type {Applied, DocumentStore} from '../../content/store.ts'
import {readBranch, shortName} from '../../git/branch.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {withoutCredentials} from '../../git/redact.ts'
import {findComparePage} from '../../git/remote/commitPage.ts'
import {Proposals} from '../../git/remote/proposals.ts'
import {RemoteRefusedError} from '../../git/remote/remote.ts'
import type {RemoteSync} from '../../git/remote/remoteSync.ts'
import {RefusedError} from './errors.ts'
import {PROPOSAL_TRAILER} from './message.ts'
import {proposalOf} from './proposeReview.ts'
import {type ReviewRequest, reviewBranchOf, reviewIdIn, reviewIn} from './transaction/review/reviewRequest.ts'
import type {ReviewBranch} from './transaction/reviewRules.ts'

type ReviewBranchesOptions = {
  readonly folder: ContentDirectory
  readonly remote: RemoteSync
  readonly store: DocumentStore
  /** Writes the commit of a review; undefined if its change cannot be published. */
  readonly propose: (review: ReviewRequest) => Promise<string | undefined>
  /** Says in a request that it has no branch. */
  readonly dropBranch: (review: ReviewRequest, text: string) => Promise<void>
  readonly logger: FastifyBaseLogger
}

/** Milliseconds between two looks at the branches: longer than between two fetches, with which the merge of one arrives. */
const LOOK_EVERY = 300_000

/** The branch for the request of a review, and the page on which the remote's host compares it. */
export async function findReviewBranch(
  {root, gitDir}: ContentDirectory,
  remote: string,
  reviewId: string,
): Promise<ReviewBranch> {
  const branch = reviewBranchOf(reviewId)
  const base = await readBranch(gitDir)
  const comparePage = base && (await findComparePage(root, remote, shortName(base), branch))
  return {branch, ...(comparePage && {comparePage})}
}

/** The back-off after consecutive failures, in milliseconds. */
const BACKOFF = {first: 1_000, longest: 60_000}

/**
 * Keeps a branch of the remote for each open request for a review. Works in the background, one branch after
 * another, and derives from the current request what its branch has to be, so that a request that was replaced
 * meanwhile is not pushed.
 */
export class ReviewBranches {
  readonly #options: ReviewBranchesOptions
  readonly #proposals: Proposals
  /** Aborted when this closes: ends the wait for the next attempt. */
  readonly #closing = new AbortController()
  /** The branches that may differ from their requests: at most one for each request. */
  readonly #waiting = new Set<string>()
  /** Why the last round failed. */
  #problem: string | undefined
  #refused: string | undefined
  #running: Promise<void> | undefined
  /** The branches that the remote did not have at the last look. */
  #missing: readonly string[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: ReviewBranchesOptions) {
    this.#options = options
    this.#proposals = new Proposals(options.folder, PROPOSAL_TRAILER)
  }

  /** Why the Git host refused the newest branch; undefined if it did not. */
  get refused(): string | undefined {
    return this.#refused
  }

  /** Checks all requests and all branches, in the background. Call it once the documents are loaded. */
  start(): void {
    const {store, logger} = this.#options
    for (const id of store.idsFrom(REVIEW_PREFIX)) this.#add(id)
    const list = async () => {
      const branches = await this.#proposals.branches()
      for (const id of branches.flatMap((branch) => reviewIdIn(branch) ?? [])) this.#add(id)
    }
    void inBackground(list, {
      onFailure: (err) => logger.warn({err}, 'review branches of an earlier run cannot be listed yet'),
      retry: {...BACKOFF, signal: this.#closing.signal},
    })
    this.#timer = setInterval(() => {
      void inBackground(() => this.look(), {
        onFailure: (err) => logger.warn({err}, 'review branches of the Git host cannot be listed'),
      })
    }, LOOK_EVERY)
    this.#timer.unref()
  }

  /** Says in the requests whose branches the remote twice did not have that somebody deleted these, without a merge. */
  async look(): Promise<void> {
    const {store, remote, logger, dropBranch} = this.#options
    if (!this.#mayPush) return
    const before = this.#missing
    this.#missing = await remote.run((one) => this.#proposals.missing(one))
    for (const branch of this.#missing.filter((one) => before.includes(one))) {
      const id = reviewIdIn(branch)
      const review = id === undefined || this.#waiting.has(id) ? undefined : reviewIn(store.get(id))
      if (review?.branch !== branch) continue
      logger.warn({branch}, 'a review branch was deleted at the Git host')
      await dropBranch(review, 'The branch of this review was deleted at the Git host, without a merge.')
    }
  }

  /** Follows the requests that a transaction changed. Never throws. */
  record({changes}: Applied): void {
    for (const {id, before, after} of changes) {
      if (!isReviewId(id)) continue
      const [was, is] = [reviewIn(before), reviewIn(after)]
      // A comment changes neither.
      if (was?.at !== is?.at || was?.state !== is?.state) this.#add(id)
    }
  }

  /** Lets the current request to the remote end. The next start does the rest. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    await this.#running
  }

  /** A review's branch contains the history of HEAD, which must not come back after a rewrite. */
  get #mayPush(): boolean {
    return this.#options.remote.state.code !== 'REMOTE_REWRITTEN'
  }

  #add(reviewId: string): void {
    this.#waiting.add(reviewId)
    this.#begin()
  }

  #begin(): void {
    const {signal} = this.#closing
    if (signal.aborted || this.#waiting.size === 0) return
    this.#running ??= inBackground(() => this.#round(), {
      onFailure: (error) => this.#failed(withoutCredentials(errorMessage(error))),
      retry: {...BACKOFF, signal},
    }).finally(() => {
      this.#running = undefined
      this.#begin()
    })
  }

  /** Works on every branch once, so that one that fails does not delay the others. @throws what one failed with */
  async #round(): Promise<void> {
    // Lets the caller end first: it may be in the middle of a transaction.
    await Promise.resolve()
    if (!this.#mayPush) throw new Error('the history of the remote was rewritten')
    const failures: unknown[] = []
    for (const id of [...this.#waiting]) {
      if (this.#closing.signal.aborted) return
      // Before the work: a request that changes during it is looked at again.
      this.#waiting.delete(id)
      await this.#follow(id).catch((error: unknown) => {
        this.#waiting.add(id)
        failures.push(error)
      })
    }
    if (failures.length > 0) throw failures[0]
    if (this.#problem !== undefined) this.#options.logger.info('review branches are pushed again')
    this.#problem = undefined
  }

  #failed(reason: string): void {
    if (reason !== this.#problem)
      this.#options.logger.warn({reason}, 'push of a review branch failed and will be retried')
    this.#problem = reason
  }

  async #follow(reviewId: string): Promise<void> {
    const branch = reviewBranchOf(reviewId)
    const review = reviewIn(this.#options.store.get(reviewId))
    const commit = review && (await this.#commitOf(branch, review))
    try {
      const isOwn = await this.#options.remote.run((remote) => this.#proposals.push(remote, branch, commit))
      if (commit !== undefined) this.#refused = undefined
      if (!isOwn)
        this.#options.logger.warn({branch}, 'review branch has commits of others; it stays as it is')
    } catch (error) {
      if (!(error instanceof RemoteRefusedError) || review === undefined || commit === undefined) throw error
      this.#refused = error.message
      this.#options.logger.warn({branch, reason: error.message}, 'the Git host refuses a review branch')
      await this.#options.dropBranch(review, '')
    }
  }

  /** The commit to review; undefined if there is to be no branch. */
  async #commitOf(branch: string, review: ReviewRequest): Promise<string | undefined> {
    if (review.state !== 'open' || review.branch === undefined) return undefined
    const kept = await this.#proposals.find(branch)
    if (kept?.value === proposalOf(review)) return kept.commit
    try {
      const commit = await this.#options.propose(review)
      if (commit !== undefined) await this.#proposals.keep(branch, commit)
      return commit
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      this.#options.logger.warn(
        {branch, reason: error.message},
        'no review branch: this draft cannot be published',
      )
      return undefined
    }
  }
}
