import type {DocumentRevision, InvalidDocument} from '../documentRevision.ts'
import type {PathIndex} from './pathIndex.ts'
import type {SiteConfigs} from './siteConfig.ts'
import type {SiteTexts} from './siteTexts.ts'

/** A tool or form tool that passed every rule. Its JSON is in the site's `texts`. */
export type ServedTool = DocumentRevision & {
  kind: 'tool' | 'formTool'
  /** Key of a tool's script, see `moduleKeyOf`. */
  moduleKey: string | undefined
  /** Whether it has a field that was added since version 0.1: see `extendedName`. */
  isExtended: boolean
}

/** A site compiled to return the config for any path. */
export type CompiledSite = DocumentRevision & {
  siteId: string
  /** False: an editor switched the site off. It has no tools on any page, and no scripts. */
  isEnabled: boolean
  /** Interval between two polls, in seconds. */
  pollInterval: number
  /** Tools first, then form tools. */
  tools: readonly ServedTool[]
  /** The JSON of the tools, in the same order. */
  texts: SiteTexts
  paths: PathIndex
  /** `configFor` fills it. */
  configs: SiteConfigs
  invalid: readonly InvalidDocument[]
  /** Approximate memory use in bytes, without `configs`. */
  bytes: number
}

/** Returns the revision of every document that a site was compiled from. */
export function revisionsIn(site: CompiledSite): DocumentRevision[] {
  return [site, ...site.tools, ...site.invalid]
}
