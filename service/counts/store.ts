/** In milliseconds. */
export const HOUR = 3_600_000

/** How often something happened to one tool in one hour. One with `VISIT` is a time. */
export type Count = {
  /** The ID of the tool's document. */
  readonly tool: string
  /** Hours since 1970. */
  readonly hour: number
  /** What happened. */
  readonly key: string
  readonly number: number
}

export type StoredCounts = {
  readonly counts: readonly Count[]
  /** Since when the store has counts, in milliseconds since 1970: an empty one replaces one that was lost. */
  readonly since?: number
}

/** The key of the site itself among the times of its tools. No document has this ID. */
export const ANY_PAGE = ''

/** A count whose number is the time of the last visit, in milliseconds since 1970. Others are added up. */
export const VISIT = {hour: 0, key: 'visit'}

/** Where what pages report is kept. Any method may fail. */
export type CountsStore = {
  /** @throws if nothing is stored: it is added again later */
  add(sites: ReadonlyMap<string, readonly Count[]>): Promise<void>
  /** @returns those from one hour to another, the newest first, some `MAX_READ` */
  read(publicId: string, from: number, to: number): Promise<StoredCounts>
  /** Removes what is older than an hour, and the oldest of what takes too much space. */
  prune(before: number): Promise<void>
  close(): void
}

/** How long calls and visits are kept: 13 months. */
export const KEPT_HOURS = 396 * 24

/** Maximum counts that are read at a time: strangers can fill each hour of each tool. */
export const MAX_READ = 100_000
