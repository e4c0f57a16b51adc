import type {DatasetSettings} from '../../../common/datasetSettings.ts'
import type {ScriptName} from '../seals.ts'
import type {PageReport} from './pageReport.ts'
import type {Subject} from './siteDocuments.ts'

/** Interval of the thread's signs of life, in milliseconds. */
export const BEAT_EVERY = 2_000

/** What the thread gets when it starts. */
export type DraftsWorkerData = {
  readonly settings: DatasetSettings
  /** Limit for one site. */
  readonly maxSiteBytes: number
}

/** A question about a site with drafts applied: a page, or a script as a module. */
export type DraftsQuestion =
  | (Subject & {readonly kind: 'page'; readonly path: string})
  | (Subject & {readonly kind: 'module'; readonly script: ScriptName})

/** Why there is no answer: for the log, and for those who see the preview if it is their site that fails. */
export type DraftsFailure = {
  readonly reason: string
  readonly isBusy: boolean
  readonly shown?: string
}

/** What the thread found. An empty answer: there is no such site or script. */
export type DraftsAnswer = {
  readonly report?: PageReport
  readonly module?: string
  readonly failure?: DraftsFailure
}

export type DraftsRequest = {readonly number: number; readonly question: DraftsQuestion}
export type DraftsResponse = {readonly number: number; readonly answer: DraftsAnswer}
