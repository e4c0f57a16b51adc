import type {GitCommand, GitEnd} from './spawnGit.ts'

/** What the lake asks of the process that runs Git. `run` numbers the commands. */
export type Request =
  | {readonly kind: 'run'; readonly run: number; readonly command: GitCommand}
  | {readonly kind: 'stop'; readonly run: number}

/** What that process reports of a command. Exactly one `end` or `error` is the last of each. */
export type Report =
  | {readonly kind: 'data'; readonly run: number; readonly data: Buffer}
  | {readonly kind: 'end'; readonly run: number; readonly end: GitEnd}
  | {readonly kind: 'error'; readonly run: number; readonly reason: string}
