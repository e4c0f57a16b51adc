import {parseDocument, parseField} from '../../schemas/document.ts'
import {pagesFieldOf, type StoredDocument, type ToolType} from '../../schemas/documents.ts'
import {name} from '../../schemas/fields/name.ts'
import type {OfferedWhile} from '../../schemas/fields/offeredWhile.ts'
import {offeredWhile} from '../../schemas/fields/offeredWhile.ts'
import {pathPattern} from '../../schemas/fields/pathPattern.ts'
import {TOOL_DECLARATIONS} from '../../schemas/index.ts'
import type {Fields} from '../../schemas/record.ts'
import {BrokenRule, brokenRuleIn, orBrokenRule} from '../../schemas/rules/parsed.ts'
import type {PathPattern} from '../../schemas/rules/paths/pathPattern.ts'

/** What the rules say about one revision of a tool. */
export type Verdict = {
  /** Undefined: the document's name or path pattern breaks a rule. */
  readonly place?: {readonly name: string; readonly pattern: PathPattern}
  /** What else must hold. */
  readonly conditions?: OfferedWhile
  /** The first broken rule. Undefined: the document is valid. */
  readonly broken?: {readonly field: string; readonly problem: string}
}

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
    const nameOfTool = parseField(name, document)
    const pattern = parseField({...pathPattern, name: pagesFieldOf(type)}, document)
    const conditions = parseField(offeredWhile, document)
    const verdict = {
      ...(nameOfTool.ok && pattern.ok && {place: {name: nameOfTool.value, pattern: pattern.value}}),
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

function ruleBrokenBy(type: ToolType, document: Fields): BrokenRule | undefined {
  const parsed = orBrokenRule(() => parseDocument(TOOL_DECLARATIONS[type], document))
  return parsed instanceof BrokenRule ? parsed : undefined
}
