/** Why a person has to decide before anything is pushed. */
export type ConflictCode = 'PUSH_CONFLICT' | 'REMOTE_REWRITTEN' | 'REMOTE_BRANCH_MISSING'

/** The state of the sync with the remote, for an operator. */
export type PushState = {
  /** `pending`: waiting to be pushed; `failing`: will be retried; `conflict`: a person has to decide. */
  readonly state: 'off' | 'ok' | 'pending' | 'failing' | 'conflict'
  /** ISO 8601. */
  readonly since: string
  /** Set in the state `conflict`. */
  readonly code?: ConflictCode
  /** One line, without credentials. */
  readonly lastError?: string
  /** The number of commits that the remote does not have, if known. */
  readonly ahead?: number
}
