import type {Visitor} from './options.ts'
import type {ReportRun, ReportTarget} from './reportToLake.ts'
import type {Selection} from './site.ts'
import type {ContentOptions} from './types.ts'

/** What `content test` tells the processes of Playwright. */
export type Settings = {
  readonly content: ContentOptions & {readonly directory: string}
  readonly selection: Selection
  /** The website, perhaps with a name and a password. */
  readonly baseUrl: string
  readonly ignoreHttpsErrors: boolean
  readonly visitors: readonly Visitor[]
  /** Where Playwright keeps traces and the like. */
  readonly output: string
  /** Whether the results are printed for a person. */
  readonly isText: boolean
  readonly report?: {readonly target: ReportTarget; readonly run: ReportRun} | undefined
}

/** The environment variable that has them as JSON. */
export const VARIABLE = 'HANDRAIL_CONTENT_TEST'

/** The settings of this process of Playwright. */
export function settings(): Settings {
  return JSON.parse(process.env[VARIABLE] ?? '')
}
