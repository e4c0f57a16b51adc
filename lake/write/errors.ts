import type {JsonObject} from '../../common/json.ts'

/** Why one mutation or action of a transaction is refused, in the format of Sanity's API. */
type Problem = {readonly type: string; readonly description: string} & JsonObject

/**
 * The transaction is refused as a whole. `index` is the position of the mutation or action that could not be applied; 0 if the result is refused.
 */
export class RefusedError extends Error {
  readonly status: number
  readonly problem: Problem
  readonly index: number

  constructor(status: number, problem: Problem, index = 0) {
    super(problem.description)
    this.status = status
    this.problem = problem
    this.index = index
  }

  /** Copies this error with the position of a mutation or action. */
  at(index: number): RefusedError {
    return new RefusedError(this.status, this.problem, index)
  }
}

const RELEASE_ADVICE: Readonly<Record<string, string>> = {
  scheduled: 'unschedule it to change it',
  published: 'it cannot be changed any more; “Revert release” makes a new one',
  archived: 'unarchive it to change it',
  active: 'it is not scheduled, and only an archived release can be deleted',
}

/** A refusal about one document. */
function about(
  id: string,
  status: number,
  type: string,
  description: string,
  details: JsonObject = {},
): RefusedError {
  return new RefusedError(status, {type, description, id, ...details})
}

const REVISION = 'documentRevisionIDDoesNotMatchError'

const quoted = (ids: readonly string[]) => ids.map((one) => `"${one}"`).join(', ')

/** All errors of writes. https://www.sanity.io/docs/http-reference/mutation */
export const refuse = {
  malformed: (description: string) => new RefusedError(400, {type: 'validationError', description}),
  alreadyExists: (id: string) =>
    about(id, 409, 'documentAlreadyExistsError', `Document by ID "${id}" already exists`),
  notFound: (id: string) =>
    about(id, 409, 'documentNotFoundError', `The document with the ID "${id}" was not found`),
  otherRevision: (id: string, expected: string | null, current: string | null) => {
    const description = `Document "${id}" has unexpected revision ID (${current}), expected "${expected}"`
    return about(id, 409, REVISION, description, {currentRevisionID: current, expectedRevisionID: expected})
  },
  /** @param current the revision of the published document; null if there is none */
  outdatedDraft: (id: string, expected: string | null, current: string | null) => {
    const done = current === null ? 'unpublished or deleted' : 'published again'
    const description = `"${id}" was ${done} after this draft began: publishing it would undo that. Copy what you still need from the draft, and discard the draft`
    return about(id, 409, REVISION, description, {currentRevisionID: current, expectedRevisionID: expected})
  },
  /** @param names the documents whose published state is no longer the one that their versions began from */
  outdatedRelease: (id: string, title: string, names: readonly string[]) =>
    about(
      id,
      409,
      REVISION,
      `The release “${title}” cannot be published: ${names.join(', ')} changed after its version in the release began, and publishing would undo that. Copy what you still need from the version, discard it, and add the document to the release again`,
    ),
  /** @param name the document whose version would become a draft */
  draftInTheWay: (id: string, name: string) =>
    about(
      id,
      409,
      'documentAlreadyExistsError',
      `${name} cannot become a draft again, because there is another one: its author has to discard one of them`,
    ),
  releaseState: (id: string, title: string, state: string) => {
    const advice = RELEASE_ADVICE[state] ?? 'that is not possible now'
    return about(id, 409, 'releaseStateError', `The release “${title}” is ${state}: ${advice}`)
  },
  stillReferenced: (id: string, referencingIDs: readonly string[]) => {
    const description = `Document "${id}" cannot be deleted as there are references to it from ${quoted(referencingIDs)}`
    return about(id, 409, 'documentHasExistingReferencesError', description, {referencingIDs})
  },
  /** @param isRemoved whether the transaction itself takes them away */
  refersToNothing: (id: string, referencingIDs: readonly string[], isRemoved = false) => {
    const what = quoted(referencingIDs)
    const description = isRemoved
      ? `Document "${id}" stays and references ${what}, which this takes away: delete the first, or keep the second and switch it off`
      : `Document "${id}" references non-existent document ${what}`
    return about(id, 409, 'documentReferenceDoesNotExistError', description, {referencingIDs})
  },
  notAllowed: (id: string, permission: string, description: string) =>
    about(id, 403, 'insufficientPermissionsError', description, {permission}),
  typeChanged: (id: string, from: string, to: string) =>
    about(
      id,
      409,
      'documentTypeChangedError',
      `Document "${id}" has the type "${from}", which it keeps: create the ${to} with another ID`,
    ),
  valueTaken: (id: string, description: string) => about(id, 409, 'valueTakenError', description),
  unfit: (id: string, description: string) => about(id, 400, 'documentValidationError', description),
  noReview: (id: string) =>
    about(id, 409, 'reviewNotFoundError', `No review of "${id}" is requested: it may be done`),
  needsReview: (id: string, description: string) => about(id, 403, 'reviewRequiredError', description),
  needsTests: (id: string, description: string) => about(id, 409, 'testsRequiredError', description),
  reviewOutdated: (id: string, description: string) => about(id, 409, 'reviewOutdatedError', description),
  tooLarge: (description: string) => new RefusedError(413, {type: 'transactionTooLargeError', description}),
  usedTransactionId: (transactionId: string) =>
    new RefusedError(409, {
      type: 'transactionIdConflictError',
      description: `The transaction ID "${transactionId}" was used for another transaction: use a new one`,
    }),
}
