import {randomUUID} from 'node:crypto'
import type {JsonObject} from '../../common/json.ts'
import {Mutex} from '../../common/mutex.ts'
import type {Change, Document} from '../../content/document.ts'
import {ATTEMPT_TRAILER, type Entry, type Journal, TRANSACTION_TRAILER} from '../../content/drafts/journal.ts'
import {NotKeptError, writeFailure} from '../../content/drafts/notKept.ts'
import {isPublishedId} from '../../content/ids.ts'
import type {Applied, DocumentStore, Update} from '../../content/store.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import type {DocumentRights} from '../access/documentRights.ts'
import type {Principal} from '../access/principal.ts'
import type {Audit} from '../audit/events.ts'
import type {TestReports} from '../reports/testReports.ts'
import {checkOwnDocuments, checkReferences, checkTypes} from './checks/checkDocuments.ts'
import {checkReleased, checkReleases} from './checks/checkReleases.ts'
import {checkReviews} from './checks/checkReviews.ts'
import {checkHeld, checkRights} from './checks/checkRights.ts'
import {DoneTransactions} from './doneTransactions.ts'
import {RefusedError, refuse} from './errors.ts'
import {type GitPublishedStore, PublishedChangedError} from './gitPublished.ts'
import {commitMessage} from './message.ts'
import {findMerged, proposeReview} from './proposeReview.ts'
import {
  changesForRights,
  heldIn,
  releaseEvents,
  releaseOf,
  scheduledIn,
  takingOut,
  unscheduledIn,
} from './releaseSteps.ts'
import {actionsOf, checkReturned, digestOf, type Request, type Result} from './request.ts'
import {TimeSlices} from './timeSlices.ts'
import {act} from './transaction/act.ts'
import {type Attempt, applyMutation} from './transaction/apply.ts'
import {entryOf} from './transaction/entry.ts'
import type {DocumentRule} from './transaction/publishing.ts'
import type {Release} from './transaction/releases/release.ts'
import {dropDoneReviews} from './transaction/review/actOnReview.ts'
import type {ReviewRequest} from './transaction/review/reviewRequest.ts'
import type {ReviewBranch, ReviewRules} from './transaction/reviewRules.ts'
import {type Effect, Workspace} from './transaction/workspace.ts'

/** Steps of drafts before the start that are known, for clients that retry what they sent before the lake ended. */
const KNOWN_AT_START = 1_000

/** Maximum attempts to publish while other people's commits move the branch. A few pushes in a row must not refuse it. */
const ATTEMPTS = 20

/** Who does what follows from the work of others. */
const LAKE: Principal = {id: '', name: '', email: '', rights: []}

type WriterOptions = {
  readonly store: DocumentStore
  readonly journal: Journal
  /** Who may change which documents. */
  readonly rights: DocumentRights
  /** Which changes need a review. */
  readonly reviews: ReviewRules
  /** The rules for what a release publishes. */
  readonly problemOf: DocumentRule
  /** What the tests of reviewed changes said. */
  readonly reports: Pick<TestReports, 'findReviewed'>
  /** The unique values of published documents. The writer keeps them current. */
  readonly unique: UniqueValues
  /** The branch for the request of a review; empty if the lake pushes none. */
  readonly branchOf: (reviewId: string) => Promise<ReviewBranch>
  readonly audit: Audit
  readonly published: GitPublishedStore
  /** Makes a function for one transaction that finds ids by a query, in the raw perspective. */
  readonly newFind: (by: Principal) => (query: string, params: JsonObject) => Promise<readonly string[]>
  /** Called with each change, after the store has applied it. */
  readonly publish: (applied: Applied) => void
}

/** What the message of a commit says. */
type CommitOptions = {
  readonly request: Request
  readonly trailers: readonly string[]
  readonly release: Release | undefined
  /** Writes the events of the transaction to the audit log. */
  readonly record: () => void
}

/**
 * The only place where documents change. Runs one transaction at a time; each is durable before it is
 * acknowledged.
 */
export class Writer {
  readonly #options: WriterOptions
  readonly #serial = new Mutex()
  readonly #done = new DoneTransactions()

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Loads the content of Git and the journal. Call it before the first request. */
  async load(): Promise<void> {
    await this.refresh()
    const {journal, store} = this.#options
    const documents = new Map(Array.from(journal.drafts, ([id, {document}]) => [id, document]))
    this.#done.load(journal.steps.latest(KNOWN_AT_START))
    store.apply({id: 'start', identity: '', timestamp: new Date().toISOString(), documents})
    await this.#serial.run(() => this.#discardMerged(''))
  }

  /** Applies the commits of others, between two transactions. */
  refresh(): Promise<void> {
    return this.#serial.run(() => this.#refresh())
  }

  /**
   * Writes the commit that publishing a draft or a release would make, between two transactions.
   * @returns its id; undefined if the draft cannot be published as its review was requested
   * @throws RefusedError, NotKeptError
   */
  propose(review: ReviewRequest): Promise<string | undefined> {
    const {store, unique, journal, published} = this.#options
    const options = {store, unique, published, drafts: journal.drafts}
    return this.#serial.run(() => proposeReview(review, options))
  }

  /**
   * Says in the request for the review of a document that it has no branch.
   * @param text the reason, as a comment of the Git host
   * @throws RefusedError, NotKeptError
   */
  async dropBranch({document}: ReviewRequest, text: string): Promise<void> {
    await this.transact({
      actions: [{kind: 'review.dropBranch', publishedId: document, text}],
      principal: LAKE,
    })
  }

  /**
   * Runs a transaction. A repeated request with the same `transactionId` is applied once.
   * @throws RefusedError, NotKeptError
   */
  transact(request: Request): Promise<Result> {
    return this.#serial.run(async () => {
      const id = request.transactionId ?? randomUUID()
      const digest = digestOf(request)
      const done = request.dryRun ? undefined : this.#done.effectsOf(id, digest)
      // With the documents in their current state.
      if (done !== undefined)
        return {transactionId: id, effects: done, documents: this.#returned(done, new Map(), request)}
      for (let attempt = 1; ; attempt += 1) {
        try {
          const result = await this.#attempt(id, request, digest)
          if (!request.dryRun) this.#done.add(id, digest, result.effects)
          return result
        } catch (error) {
          if (!(error instanceof PublishedChangedError)) throw error
          if (attempt === ATTEMPTS)
            throw new NotKeptError('Nothing was published: other commits kept arriving, try again')
          await this.#refresh().catch((cause: unknown) => {
            throw new NotKeptError(
              'Nothing was published: the newest commit of the content repository cannot be read ' +
                `(${writeFailure(cause)}). Drafts are kept; ask a developer to fetch its objects from another clone`,
              {cause},
            )
          })
        }
      }
    })
  }

  /** Waits for pending writes. */
  close(): Promise<void> {
    return this.#serial.idle()
  }

  /** The documents of a transaction, also those that it did not change. @throws RefusedError if they are too large */
  #returned(effects: readonly Effect[], changed: Result['documents'], {returnsDocuments}: Request) {
    const documents = new Map(changed)
    for (const {id} of effects) if (!documents.has(id)) documents.set(id, this.#options.store.get(id))
    if (returnsDocuments) checkReturned(effects, documents)
    return documents
  }

  async #refresh(): Promise<void> {
    const update = await this.#options.published.refresh()
    if (update === undefined) return
    this.#show(update)
    await this.#discardMerged(update.identity)
  }

  /** Discards the drafts, and ends the releases, that others have published with Git as their reviews were requested. */
  async #discardMerged(identity: string): Promise<void> {
    const {store, journal} = this.#options
    const principal = {...LAKE, id: identity}
    for (const actions of findMerged(journal.drafts.keys(), store)) {
      const request: Request = {actions, principal, isMerged: true}
      try {
        await this.#attempt(randomUUID(), request, digestOf(request))
      } catch (error) {
        // The drafts stay for now. The next commit of others, or the next start, tries again.
        if (!(error instanceof NotKeptError || error instanceof RefusedError)) throw error
      }
    }
  }

  #show(update: Update): void {
    const applied = this.#options.store.apply(update)
    for (const {id, after} of applied.seen.published) this.#options.unique.put(id, after)
    if (applied.changes.length > 0) this.#options.publish(applied)
  }

  /** One attempt: applies the steps, checks the result, makes it durable, and shows it. */
  async #attempt(transactionId: string, asked: Request, digest: string): Promise<Result> {
    const {store, rights, reviews, branchOf, newFind, audit, journal} = this.#options
    const request = takingOut(asked, {store, rights})
    const {principal: by} = request
    const now = new Date().toISOString()
    const workspace = new Workspace(store, journal.drafts)
    const slices = new TimeSlices()
    const attempt = {
      workspace,
      transactionId,
      now,
      slices,
      by,
      branchOf,
      find: newFind(by),
      siteOf: (document: Document) => reviews.siteOf(document),
      isDryRun: request.dryRun === true,
    }
    const effects = await applySteps(request, attempt)
    await dropDoneReviews(attempt)
    const reviewed = await this.#check(request, attempt)

    const changed = workspace.changed()
    const published = publishedIn(changed)
    const returned = this.#returned(effects, changed, request)
    const events = [...reviewed.events, ...releaseEvents(request, workspace)]
    const release = releaseOf(request, workspace)
    const entry = entryOf(transactionId, workspace, {by, timestamp: now, request: digest})
    // Published documents are reported without mutations, since their dates come from the commit.
    const mutations = new Map([...workspace.mutations()].filter(([id]) => !published.has(id)))
    // The last use of the workspace, which then has what is published later.
    await this.#checkScheduled(request, attempt)
    if (request.dryRun || changed.size === 0) return {transactionId, effects, documents: returned}

    const record = () => {
      for (const event of events) audit.record(event)
    }
    journal.append(entry, record)
    const committed = entry.commits
      ? await this.#commit(entry, published, {request, record, release, trailers: reviewed.trailers})
      : []
    const documents = new Map([...changed, ...committed])
    this.#show({id: transactionId, identity: by.id, timestamp: now, documents, mutations})
    return {transactionId, effects, documents: new Map([...returned, ...documents])}
  }

  /** Checks what a transaction leaves: rights first, so that a refusal tells nothing to those who may not know it. */
  async #check(request: Request, {workspace, slices, by}: Attempt): ReturnType<typeof checkReviews> {
    const {store, rights, reviews: rules, reports, unique, problemOf, journal} = this.#options
    const changed = workspace.changed()
    const content = changesForRights(changed, request, workspace)
    const published = publishedIn(changed)
    await checkRights(content, by, {rights, store, slices})
    await checkHeld(heldIn(content, store), by, {rights, store, slices})
    await checkRights(unscheduledIn(request, workspace), by, {rights, store, slices})
    checkTypes(content, workspace)
    checkOwnDocuments(changed, workspace)
    checkReleases(changed, workspace)
    await checkReleased(published, {request, workspace, slices, problemOf})
    const {drafts} = journal
    const reviewed = await checkReviews({request, workspace, rules, reports, rights, slices, store, drafts})
    const taken = unique.problemOf(published)
    if (taken !== undefined) throw refuse.valueTaken(taken.id, taken.problem)
    await checkReferences(workspace, slices)
    return reviewed
  }

  /** Checks what the releases that a transaction schedules publish at their time, as it is now. */
  async #checkScheduled(request: Request, attempt: Attempt): Promise<void> {
    const scheduled = scheduledIn(request)
    if (scheduled.length === 0) return
    const later = {...attempt, isDryRun: true, slices: new TimeSlices()}
    for (const action of scheduled) await act(action, later)
    await dropDoneReviews(later)
    await this.#check({...request, actions: [...actionsOf(request), ...scheduled]}, later)
  }

  /**
   * Commits the published documents of an entry, and decides with the result whether the entry holds.
   * @returns the documents with the dates of the commit
   */
  async #commit(
    entry: Entry,
    documents: ReadonlyMap<string, Document | undefined>,
    {request, trailers, release, record}: CommitOptions,
  ): Promise<ReadonlyMap<string, Document | undefined>> {
    const {store, published, journal} = this.#options
    const changes = Array.from(documents, ([id, after]): Change => ({id, before: store.get(id), after}))
    const actions = actionsOf(request)
    const message = commitMessage(changes, {
      isUnpublished: actions.length > 0 && actions.every(({kind}) => kind === 'unpublish'),
      release,
      trailers,
      source: [`${TRANSACTION_TRAILER}: ${entry.id}`, `${ATTEMPT_TRAILER}: ${entry.attempt}`],
    })
    const options = {by: request.principal, message, now: entry.timestamp}
    const committed = await published.commit(documents, options).catch((error: unknown) => {
      journal.decide(entry, false)
      throw error
    })
    journal.decide(entry, true, record)
    return committed
  }
}

function publishedIn(changed: Result['documents']): Map<string, Document | undefined> {
  return new Map([...changed].filter(([id]) => isPublishedId(id)))
}

/** Applies all steps. */
async function applySteps(request: Request, attempt: Attempt): Promise<Effect[]> {
  const work =
    'mutations' in request
      ? request.mutations.map((mutation) => () => applyMutation(mutation, attempt))
      : request.actions.map((action) => () => act(action, attempt))
  const effects: Effect[] = []
  for (const [index, step] of work.entries()) {
    try {
      effects.push(...(await step()))
      await attempt.slices.turn()
    } catch (error) {
      throw error instanceof RefusedError ? error.at(index) : error
    }
  }
  return effects
}
