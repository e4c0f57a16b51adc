/** How the remote follows, for a person who looks after it. */
export type PushState = {
  /** `pending`: on its way; `failing`: tried again by itself; `conflict`: a person has to merge. */
  readonly state: 'off' | 'ok' | 'pending' | 'failing' | 'conflict'
  /** ISO 8601. */
  readonly since: string
  /** One line, without credentials. */
  readonly lastError?: string
  /** Commits that the remote does not have, where that is known. */
  readonly ahead?: number
}

/** Milliseconds: a second, two, four … a minute, and less by chance, so that not all come back at once. */
export function backoffDelay(failures: number): number {
  return Math.min(60_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2)
}
