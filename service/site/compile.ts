import {annotationsOf, parseHintSettings} from '../../schemas/rules/annotations.ts'
import {parseDescription} from '../../schemas/rules/description.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {parseOrigins} from '../../schemas/rules/origin.ts'
import type {Parsed} from '../../schemas/rules/parsed.ts'
import {type PathPattern, parsePathPattern} from '../../schemas/rules/pathPattern.ts'
import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../../schemas/rules/pollInterval.ts'
import {parseScript} from '../../schemas/rules/script.ts'
import {parseSelector} from '../../schemas/rules/selector.ts'
import {titleOf} from '../../schemas/rules/title.ts'
import {parseToolName} from '../../schemas/rules/toolName.ts'
import type {SiteDocument} from '../content/siteDocument.ts'
import {PathIndex} from './pathIndex.ts'
import {SiteConfigs} from './siteConfig.ts'
import {uuidOf} from './uuid.ts'

/** A tool or form tool that passed every rule, encoded once for all the answers that it is part of. */
export type ServedTool = {
  kind: 'tool' | 'formTool'
  /** The tool's UUID. */
  id: string
  /** Document id and revision: what an entity tag is made of. */
  revision: string
  /** The member of `tools` or `formTools` (specification §2.2, §2.3) as JSON. */
  json: string
}

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

type ToolDocument = SiteDocument['tools'][number]
type FormToolDocument = SiteDocument['formTools'][number]

/** Applies every rule to a site's documents: what passes is encoded and indexed, what fails is listed. */
export function compileSite(document: SiteDocument): CompiledSite {
  const invalid: InvalidDocument[] = []
  const tools: ServedTool[] = []
  const patterns: PathPattern[] = []
  const namesTaken = new Set<string>()

  function add<T extends ToolDocument | FormToolDocument>(
    kind: ServedTool['kind'],
    toolDocument: T,
    read: (toolDocument: T) => {name: string; pattern: PathPattern; served: {id: string}},
  ): void {
    const {_id: documentId, _rev: revision} = toolDocument
    try {
      const {name, pattern, served} = read(toolDocument)
      if (namesTaken.has(name)) throw new BrokenRule('name', `"${name}" is the name of another tool here.`)
      namesTaken.add(name)
      tools.push({
        kind,
        id: served.id,
        revision: `${documentId}@${revision}`,
        json: JSON.stringify(served),
      })
      patterns.push(pattern)
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error
      invalid.push({documentId, revision, field: error.field, problem: error.message})
    }
  }

  for (const tool of document.tools) add('tool', tool, readTool)
  for (const formTool of document.formTools) add('formTool', formTool, readFormTool)

  const pollInterval = parsePollInterval(document.pollInterval)
  if (!pollInterval.ok) {
    const {_id: documentId, _rev: revision} = document
    invalid.push({documentId, revision, field: 'pollInterval', problem: pollInterval.problem})
  }

  return {
    siteId: uuidOf(document._id),
    revision: `${document._id}@${document._rev}`,
    pollInterval: pollInterval.ok ? pollInterval.value : DEFAULT_POLL_INTERVAL,
    tools,
    paths: new PathIndex(patterns),
    configs: new SiteConfigs(),
    invalid,
  }
}

function readTool(tool: ToolDocument) {
  const name = checked('name', parseToolName(tool.name))
  return {
    name,
    pattern: checked('pathPattern', parsePathPattern(tool.pathPattern)),
    served: {
      id: uuidOf(tool._id),
      name,
      description: checked('description', parseDescription(tool.description)),
      inputSchema: checked('inputSchema', parseInputSchema(tool.inputSchema)),
      executeJs: checked('executeJs', parseScript(tool.executeJs)),
      exposedTo: checked('exposedTo', parseOrigins(tool.exposedTo)),
      title: titleOf(name),
      annotations: annotationsOf(name, checked('annotations', parseHintSettings(tool.annotations))),
    },
  }
}

function readFormTool(formTool: FormToolDocument) {
  const name = checked('name', parseToolName(formTool.name))
  return {
    name,
    pattern: checked('pagePath', parsePathPattern(formTool.pagePath)),
    served: {
      id: uuidOf(formTool._id),
      name,
      description: checked('description', parseDescription(formTool.description)),
      selector: checked('selector', parseSelector(formTool.selector)),
      autosubmit: formTool.autosubmit === true,
    },
  }
}

class BrokenRule extends Error {
  readonly field: string

  constructor(field: string, problem: string) {
    super(problem)
    this.field = field
  }
}

function checked<T>(field: string, parsed: Parsed<T>): T {
  if (!parsed.ok) throw new BrokenRule(field, parsed.problem)
  return parsed.value
}
