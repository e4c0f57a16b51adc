/** The state of the sync with the remote, for an operator. */
export type PushState = {
  /** `pending`: waiting to be pushed; `failing`: will be retried; `conflict`: a person has to merge. */
  readonly state: 'off' | 'ok' | 'pending' | 'failing' | 'conflict'
  /** ISO 8601. */
  readonly since: string
  /** One line, without credentials. */
  readonly lastError?: string
  /** The number of commits that the remote does not have, if known. */
  readonly ahead?: number
}

/**
 * The back-off in milliseconds: 1 s, doubling up to 1 min, with jitter, so that not all lakes retry at once.
 */
export function backoffDelay(failures: number): number {
  return Math.min(60_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2)
}
