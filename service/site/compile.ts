import {reportingOf} from '../../schemas/calls/reporting.ts'
import {problemsIn} from '../../schemas/document.ts'
import {formTool} from '../../schemas/formTool.ts'
import {askBeforeOf} from '../../schemas/rules/hints/askBefore.ts'
import {BrokenRule} from '../../schemas/rules/parsed.ts'
import {countSegments, MAX_PATH_SEGMENTS} from '../../schemas/rules/paths/pathSegments.ts'
import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../../schemas/rules/pollInterval.ts'
import {isSiteEnabled} from '../../schemas/rules/site.ts'
import {site} from '../../schemas/site.ts'
import {type InvalidDocument, nameOf} from '../documentRevision.ts'
import {SiteError} from '../errors.ts'
import type {Revised, SiteDocument} from '../upstream/siteDocument.ts'
import type {CompiledSite} from './compiledSite.ts'
import {PathIndex} from './pathIndex.ts'
import {asServed, type ReadTool, readTool} from './readTool.ts'
import {type ServedTool, SiteTexts} from './siteTexts.ts'
import {SliceQueue, TimeSlice} from './timeSlice.ts'
import {timesOf} from './times.ts'
import {ToolReader} from './toolReader.ts'
import {uuidOf} from './uuid.ts'

/**
 * Measured memory use in bytes: of a site without its documents, of a tool without its texts and pattern, and
 * of an invalid document.
 */
const SITE_BYTES = 1_700
const TOOL_BYTES = 105
const INVALID_BYTES = 250

const SERVED_SITE = {...site, fields: site.fields.filter(({isServed}) => isServed === true)}

type CompiledTool = ReadTool & {readonly served: ServedTool}

/** Compiles the sites of a service, or of a thread: they take turns, and share a thread for long tools. */
export class SiteCompiler {
  readonly slices = new SliceQueue()
  readonly tools: ToolReader

  constructor(tools = new ToolReader()) {
    this.tools = tools
  }

  /**
   * Validates a site's documents. Valid ones are encoded and indexed, invalid ones are listed. Ten thousand
   * tools take seconds, nearly all of it for their scripts, so the work yields to requests in between, and
   * unchanged documents are reused.
   * @param before the same site at another revision.
   * @param maxBytes memory limit.
   * @throws SiteError if the site exceeds the limit.
   */
  async compile(
    document: SiteDocument,
    before?: CompiledSite | null,
    maxBytes = Number.POSITIVE_INFINITY,
  ): Promise<CompiledSite> {
    const invalid: InvalidDocument[] = []
    const tools = new Map<string, CompiledTool>()
    const askBefore = askBeforeOf(document.askBefore)
    const reporting = reportingOf(document)
    // The same revision of a tool is served differently if these settings of its site change.
    const isReusable = before?.askBefore === askBefore && before.reporting === reporting
    const known = isReusable ? knownIn(before) : undefined
    const work = new TimeSlice(this.slices)
    let characters = 0
    let segments = 0

    async function add<T extends Revised>(
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
            throw new BrokenRule('name', `Another tool of this site is named "${read.name}".`)
          const json = same?.json ?? asServed(read, askBefore, reporting)
          const served = same?.served ?? {documentId, revision, name: read.name}
          tools.set(read.name, {...read, served, json})
          characters += json.length
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
    await add(document.tools, (tool, json) => this.tools.read(tool, json))
    const toolCount = tools.size
    await add(document.formTools, (tool, json) => readTool(formTool, tool, json))

    const {_id: documentId, _rev: revision} = document
    const pollInterval = parsePollInterval(document.pollInterval)
    // The site is served all the same: each of its fields has a value for what cannot be read.
    for (const {field, problem} of problemsIn(SERVED_SITE, document))
      invalid.push({documentId, revision, field, problem})

    await work.yieldIfOver()
    const all = [...tools.values()]
    const texts = new SiteTexts(
      all.map(({json}) => json),
      all.map(({served}) => served),
    )
    const paths = new PathIndex(all.map(({pattern}) => pattern))
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
      isEnabled: isSiteEnabled(document),
      pollInterval: pollInterval.ok ? pollInterval.value : DEFAULT_POLL_INTERVAL,
      askBefore,
      reporting,
      toolCount,
      count: all.length,
      conditional: all.flatMap(({isConditional}, position) => (isConditional ? [position] : [])),
      translated: all.flatMap(({isTranslated}, position) => (isTranslated ? [position] : [])),
      times: timesOf(all),
      texts,
      paths,
      configs: new Map(),
      invalid,
      bytes,
    }
  }

  /** Ends what runs for it. Sites with long tools cannot be compiled any more. */
  async close(): Promise<void> {
    await this.tools.close()
  }
}

function tooLarge(maxBytes: number): SiteError {
  const limit = Math.round((maxBytes / 2 ** 20) * 10) / 10
  return new SiteError(
    `The site needs more memory than the limit of ${limit} MB for one site. ` +
      'Remove tools from it, shorten their scripts and schemas, use fewer alternatives in braces, or raise SITE_MEMORY_MB.',
  )
}

function tooManyPaths(): SiteError {
  const limit = MAX_PATH_SEGMENTS.toLocaleString('en-US')
  return new SiteError(
    `The path patterns of the site expand to more than ${limit} path segments. ` +
      'Use fewer alternatives in braces, wildcards instead of lists, or fewer tools.',
  )
}

/** Returns the tools of a site by the names of their revisions. */
function knownIn({texts}: CompiledSite) {
  const tools = texts.tools()
  return new Map(texts.served().map((served, position) => [nameOf(served), {served, json: tools[position]}]))
}
