import {BrokenRule} from '../rules/brokenRule.ts'
import type {PathPattern} from '../rules/paths/pathPattern.ts'
import {
  type Fields,
  type Place,
  parseFormTool,
  parseFormToolPlace,
  parseTool,
  parseToolPlace,
} from '../rules/tool.ts'
import type {StoredDocument, ToolType} from './documents.ts'

/** What the rules say about one revision of a tool. */
export type Verdict = {
  /** Undefined: the document's name or path pattern breaks a rule. */
  readonly place?: {readonly name: string; readonly pattern: PathPattern}
  /** The first broken rule. Undefined: the document is valid. */
  readonly broken?: {readonly field: string; readonly problem: string}
}

const RULES = {
  tool: {placeOf: parseToolPlace, parse: parseTool},
  formTool: {placeOf: parseFormToolPlace, parse: parseFormTool},
} satisfies Record<ToolType, {placeOf: (document: Fields) => Place; parse: object}>

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
    const key = `${type} ${document._id} ${document._rev}`
    const verdict = this.#known.get(key) ?? this.#before?.get(key) ?? judge(type, document)
    this.#known.set(key, verdict)
    return verdict
  }
}

function judge(type: ToolType, document: StoredDocument): Verdict {
  const {placeOf, parse} = RULES[type]
  let place: Place | undefined
  try {
    place = placeOf(document)
    parse(place.name, document)
    return {place}
  } catch (error) {
    if (!(error instanceof BrokenRule)) throw error
    return {...(place && {place}), broken: {field: error.field, problem: error.message}}
  }
}
