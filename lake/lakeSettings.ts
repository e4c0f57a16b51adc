import type {FastifyBaseLogger} from 'fastify'
import type {LogHealth} from '../common/log/log.ts'
import type {TextFiles} from '../content/layout/layout.ts'
import type {UniqueAttribute} from '../content/uniqueValues.ts'
import type {SiteRules} from './access/rights/grants.ts'
import type {ScryptCost} from './access/secrets.ts'
import type {Clock} from './releases/releaseSchedule.ts'
import type {LakeEnvironment} from './settings.ts'
import type {DocumentRule} from './write/transaction/publishing.ts'
import type {ReviewRules} from './write/transaction/reviewRules.ts'

/** What the operator of a lake adds to Studio's page. */
export type PageAdditions = {
  /** Meta elements of the page: `<meta name="…" content="…">`. */
  readonly meta: Readonly<Record<string, string>>
  /** Origins that the page may connect to besides its own. */
  readonly connectTo: readonly string[]
}

/** What every lake needs, and what has a default: none, or the environment's. */
type RequiredSettings = 'host' | 'port' | 'contentDir' | 'projectId' | 'dataset'

export type LakeSettings = Pick<LakeEnvironment, RequiredSettings> &
  Partial<Omit<LakeEnvironment, RequiredSettings>> & {
    /** Longest time between two fetches from the remote, in seconds. Default: three minutes. */
    readonly gitFetchSeconds?: number
    /** Files for the first commit of a new repository. */
    readonly seedDir?: string
    /** Which of them, as pathspecs. Default: all. */
    readonly seedPaths?: readonly string[]
    /** Which documents belong to a site. Without them, rights for named sites are for no document. */
    readonly siteRules?: SiteRules
    /** Which changes need a review. Default: none. */
    readonly reviewRules?: ReviewRules
    /** What is wrong with a document that a release would publish. Default: nothing. */
    readonly documentRule?: DocumentRule
    /** Attributes that have files of their own, by type. Default: none. */
    readonly textFiles?: TextFiles
    /** Attributes whose values no two published documents share. Default: none. */
    readonly uniqueRules?: readonly UniqueAttribute[]
    /**
     * A built Studio to serve at `/`; it may be built while the lake runs. Without it the lake serves the API
     * only.
     */
    readonly studioDir?: string
    /**
     * Additions to Studio's page. Called for each page view, because the service that they name may start after
     * the lake.
     */
    readonly studioPage?: () => PageAdditions
    /** What a guess at a password costs. Default: that of `Accounts`. */
    readonly scryptCost?: ScryptCost
    /** Milliseconds for which the response to a Git host waits for the pull. Default: that of `gitWebhookRoute`. */
    readonly gitWebhookWait?: number
    /** By which scheduled releases are published. Default: that of the machine. */
    readonly clock?: Clock
    readonly logger: FastifyBaseLogger
    /** Whether lines of the log are lost. Default: none are. */
    readonly logHealth?: LogHealth
  }
