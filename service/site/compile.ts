import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../../schemas/rules/pollInterval.ts'
import {type Revised, revisedIdOf, type SiteDocument} from '../content/siteDocument.ts'
import {LongWork} from './longWork.ts'
import {PathIndex} from './pathIndex.ts'
import {BrokenRule, readFormTool, readTool, type ServedTool} from './servedTool.ts'
import {SiteConfigs} from './siteConfig.ts'
import {uuidOf} from './uuid.ts'

/** A document that breaks a rule, and so is left out while the site's others are served. */
export type InvalidDocument = {documentId: string; revision: string; field: string; problem: string}

/** A site made ready to answer for any path. */
export type CompiledSite = {
  /** The site's UUID. */
  siteId: string
  /** Document id and revision of the site itself. */
  revision: string
  /** Seconds between two polls. */
  pollInterval: number
  /** Tools first, then form tools. */
  tools: readonly ServedTool[]
  paths: PathIndex
  /** `configFor` fills it. */
  configs: SiteConfigs
  invalid: readonly InvalidDocument[]
}

/**
 * Applies every rule to a site's documents: what passes is encoded and indexed, what fails is listed. Ten thousand tools
 * take seconds, nearly all of it for their scripts, so it is done in slices, and what was read before is not read again.
 * @param before the same site at another revision.
 */
export async function compileSite(
  document: SiteDocument,
  before?: CompiledSite | null,
): Promise<CompiledSite> {
  const invalid: InvalidDocument[] = []
  const list = ({_id: documentId, _rev: revision}: Revised, field: string, problem: string) =>
    invalid.push({documentId, revision, field, problem})

  const readBefore = new Map(before?.tools.map((tool) => [tool.revision, tool]))
  const tools = new Map<string, ServedTool>()
  const work = new LongWork()
  for (const {source, read} of [
    ...document.tools.map((tool) => ({source: tool, read: () => readTool(tool)})),
    ...document.formTools.map((formTool) => ({source: formTool, read: () => readFormTool(formTool)})),
  ]) {
    await work.step()
    try {
      const tool = readBefore.get(revisedIdOf(source)) ?? read()
      if (tools.has(tool.name)) list(source, 'name', `"${tool.name}" is the name of another tool here.`)
      else tools.set(tool.name, tool)
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error
      list(source, error.field, error.message)
    }
  }

  const pollInterval = parsePollInterval(document.pollInterval)
  if (!pollInterval.ok) list(document, 'pollInterval', pollInterval.problem)

  await work.step()
  const served = [...tools.values()]
  return {
    siteId: uuidOf(document._id),
    revision: revisedIdOf(document),
    pollInterval: pollInterval.ok ? pollInterval.value : DEFAULT_POLL_INTERVAL,
    tools: served,
    paths: new PathIndex(served.map(({pattern}) => pattern)),
    configs: new SiteConfigs(),
    invalid,
  }
}
