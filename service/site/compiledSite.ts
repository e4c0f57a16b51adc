import type {Reporting} from '../../schemas/calls/reporting.ts'
import type {AskBefore} from '../../schemas/rules/hints/askBefore.ts'
import type {DocumentRevision, InvalidDocument} from '../documentRevision.ts'
import type {PathIndex} from './pathIndex.ts'
import type {SiteTexts} from './siteTexts.ts'
import type {Times} from './times.ts'

/** The config of a site for one path. */
export type SiteConfig = {
  readonly entityTag: string
  /** The size of the body. */
  readonly bytes: number
  /** When a page last asked for it: see `Visits`. */
  seenIn?: number
  /** The documents of its tools. */
  documentIds(): string[]
  /** The body (docs/specification.md, “Response”) as UTF-8 JSON. */
  encode(): Buffer
}

/** A site compiled to return the config for any path. */
export type CompiledSite = DocumentRevision & {
  readonly siteId: string
  /** False: an editor switched the site off. It has no tools on any page, and no scripts. */
  readonly isEnabled: boolean
  /** Interval between two polls, in seconds. */
  readonly pollInterval: number
  /** Which of its tools ask the visitor. */
  readonly askBefore: AskBefore
  /** Whether its pages report calls. */
  readonly reporting: Reporting
  /** The number of tools that are not form tools, and of both. Form tools come last. */
  readonly toolCount: number
  readonly count: number
  /** The positions of the tools that the page decides about. */
  readonly conditional: readonly number[]
  /** Those whose language the page chooses. */
  readonly translated: readonly number[]
  /** When its tools are offered. Undefined: always, whatever the time. */
  readonly times: Times | undefined
  readonly texts: SiteTexts
  readonly paths: PathIndex
  /** By the positions of their tools. `configFor` fills it. */
  readonly configs: Map<string, SiteConfig>
  readonly invalid: readonly InvalidDocument[]
  /** Approximate memory use in bytes, without `configs`. */
  readonly bytes: number
}
