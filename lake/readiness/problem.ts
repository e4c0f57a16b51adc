/** All codes of /readyz and of the metric `lake_problem`. docs/monitoring.md says what to do about each. */
export const PROBLEM_CODES = [
  'DISK_FULL',
  'WRITES_FAILING',
  'STATE_DAMAGED',
  'STATE_LOST',
  'GIT_LOCK_LEFT',
  'CONTENT_UNREADABLE',
  'BROKEN_OBJECTS',
  'DOCUMENT_BROKEN',
  'VALUE_SHARED',
  'TOO_MANY_DOCUMENTS',
  'RELEASE_FAILED',
  'RELEASE_OVERTAKEN',
  'SIGN_IN_FAILING',
  'LOG_FAILING',
  'PUSH_FAILING',
  'PUSH_CONFLICT',
  'REMOTE_REWRITTEN',
  'REMOTE_BRANCH_MISSING',
  'REVIEW_BRANCH_REFUSED',
  'WEBHOOK_FAILING',
] as const

export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** Something is wrong, but documents are still served. */
export type Problem = {
  readonly code: ProblemCode
  /** What is wrong and what to do. Public: it contains no path and no host of the machine. */
  readonly message: string
  /** For the log. Editors see the `reason`. */
  readonly details?: Readonly<Record<string, unknown>>
}
