import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../../schemas/rules/pollInterval.ts'
import type {Revised, SiteDocument} from '../content/siteDocument.ts'
import {LongWork} from './longWork.ts'
import {PathIndex} from './pathIndex.ts'
import {BrokenRule, type ReadTool, readFormTool, readTool} from './readTool.ts'
import {SiteConfigs} from './siteConfig.ts'
import {SiteTexts} from './siteTexts.ts'
import {uuidOf} from './uuid.ts'

/** What stood in one document at one time. An entity tag is made of these. */
export type DocumentRevision = {documentId: string; revision: string}

/** A tool or form tool that passed every rule. The texts that it is served as are with the site's others. */
export type ServedTool = DocumentRevision & {kind: 'tool' | 'formTool'}

/** A document that breaks a rule, and so is left out while the site's others are served. */
export type InvalidDocument = DocumentRevision & {field: string; problem: string}

/** A site made ready to answer for any path. */
export type CompiledSite = DocumentRevision & {
  /** The site's UUID. */
  siteId: string
  /** Seconds between two polls. */
  pollInterval: number
  /** Tools first, then form tools. */
  tools: readonly ServedTool[]
  /** Their texts, in the same order. */
  texts: SiteTexts
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
  const tools = new Map<string, {served: ServedTool; read: ReadTool}>()
  const known = before ? knownIn(before) : undefined
  const work = new LongWork()

  async function add<T extends Revised>(
    kind: ServedTool['kind'],
    documents: readonly T[],
    readOne: (document: T, json: string | undefined) => ReadTool,
  ): Promise<void> {
    for (const source of documents) {
      await work.step()
      const {_id: documentId, _rev: revision} = source
      try {
        const same = known?.get(nameOf({documentId, revision}))
        const read = readOne(source, same?.json)
        if (tools.has(read.name))
          throw new BrokenRule('name', `"${read.name}" is the name of another tool here.`)
        tools.set(read.name, {
          served: same?.served ?? {documentId, revision, kind},
          read,
        })
      } catch (error) {
        if (!(error instanceof BrokenRule)) throw error
        invalid.push({documentId, revision, field: error.field, problem: error.message})
      }
    }
  }
  await add('tool', document.tools, readTool)
  await add('formTool', document.formTools, readFormTool)

  const {_id: documentId, _rev: revision} = document
  const pollInterval = parsePollInterval(document.pollInterval)
  if (!pollInterval.ok)
    invalid.push({documentId, revision, field: 'pollInterval', problem: pollInterval.problem})

  await work.step()
  const all = [...tools.values()]
  return {
    documentId,
    revision,
    siteId: uuidOf(documentId),
    pollInterval: pollInterval.ok ? pollInterval.value : DEFAULT_POLL_INTERVAL,
    tools: all.map(({served}) => served),
    texts: new SiteTexts(
      document,
      all.map(({read}) => read.json),
    ),
    paths: new PathIndex(all.map(({read}) => read.pattern)),
    configs: new SiteConfigs(),
    invalid,
  }
}

/** Every document that a site was compiled from. */
export function revisionsIn(site: CompiledSite): DocumentRevision[] {
  return [site, ...site.tools, ...site.invalid]
}

/** One string for what stood in a document at one time. */
export function nameOf({documentId, revision}: DocumentRevision): string {
  return `${documentId}@${revision}`
}

function knownIn({tools, texts}: CompiledSite): Map<string, {served: ServedTool; json: string | undefined}> {
  const all = texts.tools()
  return new Map(tools.map((served, position) => [nameOf(served), {served, json: all[position]}]))
}
