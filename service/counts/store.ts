import type {Outcome} from '../../schemas/calls/counts.ts'

/** In milliseconds. */
export const HOUR = 3_600_000

/** Calls of one tool in one hour that ended in one way. */
export type CallCounts = {
  /** Hours since 1970. */
  readonly hour: number
  /** The ID of the tool's document. */
  readonly tool: string
  readonly outcome: Outcome
  /** By bucket, see `DURATION_BOUNDS`. */
  readonly durations: number[]
}

/** How many calls of one tool in one hour had an error. */
export type ErrorCounts = {
  readonly hour: number
  readonly tool: string
  readonly hash: string
  readonly count: number
}

type Calls = {readonly calls: readonly CallCounts[]; readonly errors: readonly ErrorCounts[]}

export type StoredCalls = Calls & {
  /** Since when the store has counts, in milliseconds since 1970: an empty one replaces one that was lost. */
  readonly since?: number
  /** Why counts may be missing, and what to do about it. */
  readonly advice?: string | undefined
}

/** The key of the site itself among the times of its tools. No document has this ID. */
export const ANY_PAGE = ''

/** When pages last asked for the tools of a site, in milliseconds since 1970: by the ID of a tool's document, or `ANY_PAGE`. */
export type VisitTimes = ReadonlyMap<string, number>

/** Counts that are added together. A store that gets the same batch again adds it once. */
export type Batch = {
  readonly id: string
  readonly sites: readonly (Calls & {readonly publicId: string; readonly visits: VisitTimes})[]
}

/** Where what pages report is kept. Any method may fail. */
export type CountsStore = {
  add(batch: Batch): Promise<void>
  /**
   * @param since the first hour
   * @returns the newest ones, at most `MAX_READ` of each kind
   */
  read(publicId: string, since: number): Promise<StoredCalls>
  visitsOf(publicId: string): Promise<VisitTimes>
  /** The sites without calls and visits since an hour. */
  quietSites(since: number): Promise<readonly string[]>
  /** The sites that were found to be gone, and since when, in milliseconds since 1970. */
  goneSites(): Promise<ReadonlyMap<string, number>>
  /** Notes since when a site is gone, for the next start, too. Undefined: it is not. */
  setGone(publicId: string, since: number | undefined): Promise<void>
  /** Removes everything of a site. */
  remove(publicId: string): Promise<void>
  /** Removes what is older than an hour, and the oldest of what takes too much space. */
  prune(before: number): Promise<void>
  close(): void
}

/** How long calls and visits are kept: 13 months. */
export const KEPT_HOURS = 396 * 24

/** Maximum counts that are read at a time: strangers can fill each hour of each tool. */
export const MAX_READ = 50_000
