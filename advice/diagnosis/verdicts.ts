import {withScript} from '../../actions/compile.ts'
import type {StoredDocument, ToolType} from '../../schemas/documents.ts'
import {BrokenRule, brokenRuleIn, orBrokenRule} from '../../schemas/rules/brokenRule.ts'
import {type OfferedWhile, parseOfferedWhile} from '../../schemas/rules/conditions/offeredWhile.ts'
import type {PathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {
  type Fields,
  type Place,
  parseFormTool,
  parseFormToolPlace,
  parseTool,
  parseToolPlace,
} from '../../schemas/rules/tool.ts'

/** What the rules say about one revision of a tool. */
export type Verdict = {
  /** Undefined: the document's name or path pattern breaks a rule. */
  readonly place?: {readonly name: string; readonly pattern: PathPattern}
  /** What else must hold. */
  readonly conditions?: OfferedWhile
  /** The first broken rule. Undefined: the document is valid. */
  readonly broken?: {readonly field: string; readonly problem: string}
}

const RULES = {
  tool: {placeOf: parseToolPlace, parse: (name, tool) => parseTool(name, withScript(tool))},
  formTool: {placeOf: parseFormToolPlace, parse: parseFormTool},
} satisfies Record<
  ToolType,
  {placeOf(document: Fields): Place; parse(name: string, document: Fields): object}
>

/** The verdicts on revisions, so that each is parsed once: parsing scripts takes nearly all of the time. */
export class Verdicts {
  readonly #before: ReadonlyMap<string, Verdict> | undefined
  readonly #known = new Map<string, Verdict>()

  /** @param before verdicts to reuse; forgotten if not asked for again */
  constructor(before?: Verdicts) {
    this.#before = before === undefined ? undefined : before.#known
  }

  /** The verdict on a document. */
  of(type: ToolType, document: StoredDocument): Verdict {
    return this.#find(type, document) ?? this.#add(type, document, ruleBrokenBy(type, document))
  }

  /**
   * Judges a document with a slower parser that lets other work run, unless the verdict is known.
   * @param parse parses what is served of the document, and rejects with the rule that it breaks
   */
  async judge(type: ToolType, document: StoredDocument, parse: () => Promise<unknown>): Promise<void> {
    if (this.#find(type, document) !== undefined) return
    this.#add(type, document, await parse().then(() => undefined, brokenRuleIn))
  }

  #find(type: ToolType, document: StoredDocument): Verdict | undefined {
    const key = keyOf(type, document)
    const verdict = this.#known.get(key) ?? this.#before?.get(key)
    if (verdict !== undefined) this.#known.set(key, verdict)
    return verdict
  }

  #add(type: ToolType, document: StoredDocument, broken: BrokenRule | undefined): Verdict {
    const place = placeIn(type, document)
    const conditions = parseOfferedWhile(document.offeredWhile)
    const verdict = {
      ...(place && {place}),
      ...(conditions.ok && {conditions: conditions.value}),
      ...(broken && {broken: {field: broken.field, problem: broken.message}}),
    }
    this.#known.set(keyOf(type, document), verdict)
    return verdict
  }
}

function keyOf(type: ToolType, {_id, _rev}: StoredDocument): string {
  return `${type} ${_id} ${_rev}`
}

function placeIn(type: ToolType, document: StoredDocument): Place | undefined {
  const place = orBrokenRule(() => RULES[type].placeOf(document))
  return place instanceof BrokenRule ? undefined : place
}

/** Why the service would not serve a document, in a sentence for editors; undefined for what it serves, and for other types. */
export function problemOf(document: Fields & {readonly _type: string}): string | undefined {
  const {_type: type, publicId} = document
  if (type === 'tool' || type === 'formTool') return ruleBrokenBy(type, document)?.message
  const parsed = type === 'site' ? parsePublicId(publicId) : undefined
  return parsed?.ok === false ? parsed.problem : undefined
}

function ruleBrokenBy(type: ToolType, document: Fields): BrokenRule | undefined {
  const {placeOf, parse} = RULES[type]
  const parsed = orBrokenRule(() => parse(placeOf(document).name, document))
  return parsed instanceof BrokenRule ? parsed : undefined
}
