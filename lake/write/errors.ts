import type {JsonObject} from '../../common/json.ts'

/** Why a standby changes nothing, for editors and programs. */
export const STANDBY =
  'This is a standby: it shows what the primary has published, and changes nothing. Make the change on the primary'

/** Why one mutation or action of a transaction is refused, in the format of Sanity's API. */
type Problem = {readonly type: string; readonly description: string} & JsonObject

/** Why a standby refuses every change. */
export const STANDBY_PROBLEM: Problem = {type: 'standbyError', description: STANDBY}

/**
 * The transaction is refused as a whole. `index` is the position of the mutation or action that caused it.
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
  active: 'archive it before it is deleted',
}

/** All errors of writes. https://www.sanity.io/docs/http-reference/mutation */
export const refuse = {
  malformed: (description: string) => new RefusedError(400, {type: 'validationError', description}),
  alreadyExists: (id: string) =>
    new RefusedError(409, {
      type: 'documentAlreadyExistsError',
      description: `Document by ID "${id}" already exists`,
      id,
    }),
  notFound: (id: string) =>
    new RefusedError(409, {
      type: 'documentNotFoundError',
      description: `The document with the ID "${id}" was not found`,
      id,
    }),
  otherRevision: (id: string, expected: string | null, current: string | null) =>
    new RefusedError(409, {
      type: 'documentRevisionIDDoesNotMatchError',
      description: `Document "${id}" has unexpected revision ID (${current}), expected "${expected}"`,
      id,
      currentRevisionID: current,
      expectedRevisionID: expected,
    }),
  /** @param current the revision of the published document; null if there is none */
  outdatedDraft: (id: string, expected: string | null, current: string | null) =>
    new RefusedError(409, {
      type: 'documentRevisionIDDoesNotMatchError',
      description: `"${id}" was ${
        current === null ? 'unpublished or deleted' : 'published again'
      } after this draft began: publishing it would undo that. Copy what you still need from the draft, and discard the draft`,
      id,
      currentRevisionID: current,
      expectedRevisionID: expected,
    }),
  /** @param names the documents whose published state is no longer the one that their versions began from */
  outdatedRelease: (id: string, title: string, names: readonly string[]) =>
    new RefusedError(409, {
      type: 'documentRevisionIDDoesNotMatchError',
      description: `The release “${title}” cannot be published: ${names.join(', ')} changed after its version in the release began, and publishing would undo that. Copy what you still need from the version, discard it, and add the document to the release again`,
      id,
    }),
  releaseState: (id: string, title: string, state: string) =>
    new RefusedError(409, {
      type: 'releaseStateError',
      description: `The release “${title}” is ${state}: ${RELEASE_ADVICE[state] ?? 'that is not possible now'}`,
      id,
    }),
  stillReferenced: (id: string, referencingIDs: readonly string[]) =>
    new RefusedError(409, {
      type: 'documentHasExistingReferencesError',
      description: `Document "${id}" cannot be deleted as there are references to it from ${referencingIDs
        .map((one) => `"${one}"`)
        .join(', ')}`,
      id,
      referencingIDs,
    }),
  refersToNothing: (id: string, references: readonly string[]) =>
    new RefusedError(409, {
      type: 'documentReferenceDoesNotExistError',
      description: `Document "${id}" references non-existent document ${references
        .map((one) => `"${one}"`)
        .join(', ')}`,
      id,
      referencingIDs: references,
    }),
  notAllowed: (id: string, permission: string, description: string) =>
    new RefusedError(403, {type: 'insufficientPermissionsError', description, permission, id}),
  typeChanged: (id: string, from: string, to: string) =>
    new RefusedError(409, {
      type: 'documentTypeChangedError',
      description: `Document "${id}" has the type "${from}", which it keeps: create the ${to} with another ID`,
      id,
    }),
  valueTaken: (id: string, description: string) =>
    new RefusedError(409, {type: 'valueTakenError', description, id}),
  unfit: (id: string, description: string) =>
    new RefusedError(400, {type: 'documentValidationError', description, id}),
  noReview: (id: string) =>
    new RefusedError(409, {
      type: 'reviewNotFoundError',
      description: `No review of "${id}" is requested: it may be done`,
      id,
    }),
  needsReview: (id: string, description: string) =>
    new RefusedError(403, {type: 'reviewRequiredError', description, id}),
  needsTests: (id: string, description: string) =>
    new RefusedError(409, {type: 'testsRequiredError', description, id}),
  reviewOutdated: (id: string, description: string) =>
    new RefusedError(409, {type: 'reviewOutdatedError', description, id}),
  tooMuchWork: () =>
    new RefusedError(413, {
      type: 'transactionTooLargeError',
      description: 'The transaction takes too long: split it into smaller ones',
    }),
  tooLarge: (megabytes: number) =>
    new RefusedError(413, {
      type: 'transactionTooLargeError',
      description: `The transaction changes more than ${megabytes} MB of documents: split it into smaller ones`,
    }),
  usedTransactionId: (transactionId: string) =>
    new RefusedError(409, {
      type: 'transactionIdConflictError',
      description: `The transaction ID "${transactionId}" was used for another transaction: use a new one`,
    }),
}
