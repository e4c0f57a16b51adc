import {BrokenRule} from '../../schemas/rules/brokenRule.ts'
import {countSegments, MAX_PATH_SEGMENTS} from '../../schemas/rules/paths/pathSegments.ts'
import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../../schemas/rules/pollInterval.ts'
import {SiteError} from '../errors.ts'
import type {Revised, SiteDocument} from '../upstream/siteDocument.ts'
import {PathIndex} from './pathIndex.ts'
import {type ReadTool, readFormTool} from './readTool.ts'
import {MAX_CONFIG_BYTES, SiteConfigs} from './siteConfig.ts'
import {SiteTexts} from './siteTexts.ts'
import {TimeSlice} from './timeSlice.ts'
import {readToolFairly} from './toolReader.ts'
import {uuidOf} from './uuid.ts'

/** One revision of one document. Entity tags are made of these. */
export type DocumentRevision = {documentId: string; revision: string}

/** A tool or form tool that passed every rule. Its JSON is in the site's `texts`. */
export type ServedTool = DocumentRevision & {
  kind: 'tool' | 'formTool'
  /** Key of a tool's script, see `moduleKeyOf`. */
  moduleKey: string | undefined
}

/** A document that breaks a rule. It is left out; the site's other documents are served. */
export type InvalidDocument = DocumentRevision & {field: string; problem: string}

/** A site compiled to return the config for any path. */
export type CompiledSite = DocumentRevision & {
  siteId: string
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

/**
 * Measured memory use in bytes: of a site without its documents, of a tool without its texts and pattern, and
 * of an invalid document.
 */
const SITE_BYTES = 1_800
const TOOL_BYTES = 370
const INVALID_BYTES = 250

/**
 * Validates a site's documents. Valid ones are encoded and indexed, invalid ones are listed. Ten thousand
 * tools take seconds, nearly all of it for their scripts, so the work yields to requests in between, and
 * unchanged documents are reused.
 * @param before the same site at another revision.
 * @param maxBytes memory limit.
 * @throws SiteError if the site exceeds the limit.
 */
export async function compileSite(
  document: SiteDocument,
  before?: CompiledSite | null,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<CompiledSite> {
  const invalid: InvalidDocument[] = []
  const tools = new Map<string, {served: ServedTool; read: ReadTool}>()
  const known = before ? knownIn(before) : undefined
  const work = new TimeSlice()
  let characters = 0
  let segments = 0

  async function add<T extends Revised>(
    kind: ServedTool['kind'],
    documents: readonly T[],
    readOne: (document: T, json: string | undefined) => ReadTool | Promise<ReadTool>,
  ): Promise<void> {
    for (const source of documents) {
      await work.yieldIfOver()
      const {_id: documentId, _rev: revision} = source
      try {
        const same = known?.get(nameOf({documentId, revision}))
        const read = await readOne(source, same?.json)
        if (tools.has(read.name))
          throw new BrokenRule('name', `"${read.name}" is the name of another tool here.`)
        tools.set(read.name, {
          served: same?.served ?? {documentId, revision, kind, moduleKey: read.moduleKey},
          read,
        })
        characters += read.json.length
        segments += countSegments(read.pattern)
        if (segments > MAX_PATH_SEGMENTS) throw tooManyPaths()
        // Checked early, because the rest may take more memory than there is.
        if (characters + TOOL_BYTES * tools.size > maxBytes) throw tooLarge(maxBytes)
      } catch (error) {
        if (!(error instanceof BrokenRule)) throw error
        invalid.push({documentId, revision, field: error.field, problem: error.message})
      }
    }
  }
  await add('tool', document.tools, readToolFairly)
  await add('formTool', document.formTools, readFormTool)

  const {_id: documentId, _rev: revision} = document
  const pollInterval = parsePollInterval(document.pollInterval)
  if (!pollInterval.ok)
    invalid.push({documentId, revision, field: 'pollInterval', problem: pollInterval.problem})

  await work.yieldIfOver()
  const all = [...tools.values()]
  const texts = new SiteTexts(
    document,
    all.map(({read}) => read.json),
  )
  const paths = await PathIndex.build(
    all.map(({read}) => read.pattern),
    work,
  )
  const bytes =
    SITE_BYTES +
    TOOL_BYTES * all.length +
    texts.bytes +
    paths.bytes +
    invalid.reduce((sum, {problem}) => sum + INVALID_BYTES + problem.length, 0)
  if (bytes > maxBytes) throw tooLarge(maxBytes)
  return {
    documentId,
    revision,
    siteId: uuidOf(documentId),
    pollInterval: pollInterval.ok ? pollInterval.value : DEFAULT_POLL_INTERVAL,
    tools: all.map(({served}) => served),
    texts,
    paths,
    configs: new SiteConfigs(Math.min(MAX_CONFIG_BYTES, maxBytes)),
    invalid,
    bytes,
  }
}

function tooLarge(maxBytes: number): SiteError {
  const limit = Math.round((maxBytes / 2 ** 20) * 10) / 10
  return new SiteError(
    `The site takes more memory than one site may, which is ${limit} MB, a quarter of SITE_MEMORY_MB. ` +
      'Remove tools from it, shorten their scripts and schemas, use fewer alternatives in braces, or raise SITE_MEMORY_MB.',
  )
}

function tooManyPaths(): SiteError {
  const limit = MAX_PATH_SEGMENTS.toLocaleString('en-US')
  return new SiteError(
    `The path patterns of the site stand for more than ${limit} path segments, with their braces written out. ` +
      'Use fewer alternatives in braces, wildcards in place of lists, or fewer tools.',
  )
}

/** Returns the revision of every document that a site was compiled from. */
export function revisionsIn(site: CompiledSite): DocumentRevision[] {
  return [site, ...site.tools, ...site.invalid]
}

/** Returns a string that identifies a revision of a document. */
export function nameOf({documentId, revision}: DocumentRevision): string {
  return `${documentId}@${revision}`
}

function knownIn({tools, texts}: CompiledSite): Map<string, {served: ServedTool; json: string | undefined}> {
  const all = texts.tools()
  return new Map(tools.map((served, position) => [nameOf(served), {served, json: all[position]}]))
}
