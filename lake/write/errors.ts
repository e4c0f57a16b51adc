import {errorCode} from '../../common/errorCode.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import type {JsonObject} from '../../common/json.ts'
import {withoutPaths} from '../../git/remote/redact.ts'

/** Why one mutation or action of a transaction is refused, in the format of Sanity's API. */
export type Problem = {readonly type: string; readonly description: string} & JsonObject

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

/** A valid transaction that could not be saved: the disk is full, or the repository is not writable. */
export class NotKeptError extends Error {}

/** Git's messages about disk errors, which are those of the C library. */
const CODES = new Map([
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['File too large', 'EFBIG'],
  ['Read-only file system', 'EROFS'],
  ['Permission denied', 'EACCES'],
  ['Operation not permitted', 'EPERM'],
])

/** Why a write failed, in words without any paths of the machine. */
export function reasonOf(error: unknown): string {
  const message = errorMessage(error)
  const said = [...CODES].find(([words]) => message.includes(words))?.[1]
  switch (errorCode(error) ?? said) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full'
    case 'EFBIG':
      return 'the file has reached its size limit'
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'the content repository is not writable'
    default:
      return lockedBy(message) ?? withoutPaths(message)
  }
}

/** The message to an editor about a lock file: Git fails if another command holds it. */
function lockedBy(message: string): string | undefined {
  const lock = /Unable to create '[^']*?([\w.-]+\.lock)': File exists/.exec(message)?.[1]
  if (lock === undefined) return undefined
  return (
    `another Git command holds ${lock} in the content repository, or was stopped before it could remove it. ` +
    'Try again; if that does not help, ask a developer to delete that file'
  )
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
