import {byId} from '../documents/bucket.ts'
import {type Document, isJsonObject} from '../documents/document.ts'
import {maxKeyLength} from '../documents/keys.ts'
import type {View} from '../documents/view.ts'
import type {Node} from './ast.ts'
import {choose} from './choose.ts'
import {QueryError} from './errors.ts'
import {marks} from './plan.ts'
import type {Rewritten} from './rewrite.ts'
import {AnswerTags} from './tags.ts'

/** Documents that one query may walk through, over all its lookups: a join of everything with everything ends here. */
const maxExamined = 5_000_000
/** Milliseconds that one query may take; it is looked at with each lookup. */
const maxDuration = 5_000

/** Answers the dereferences of one query: real references, and the lookups that `rewrite` made. */
export class QuerySource {
  readonly #view: View
  readonly #rewritten: Rewritten
  readonly #subqueryAnswers = new Map<number, unknown>()
  readonly #start = performance.now()
  readonly tags = new AnswerTags()
  /** How many documents the query has walked through. */
  examined = 0
  /** Evaluates a subquery; set by whoever evaluates the query. */
  evaluate: (subquery: Node) => unknown = () => null

  constructor(view: View, rewritten: Rewritten) {
    this.#view = view
    this.#rewritten = rewritten
  }

  /** groq-js's `dereference` option. */
  readonly dereference = ({_ref}: {_ref: string}): unknown => {
    if (_ref.startsWith(marks.lookup)) return this.#lookUp(_ref.slice(marks.lookup.length))
    if (_ref.startsWith(marks.subquery)) return this.#answer(Number(_ref.slice(marks.subquery.length)))
    if (_ref.startsWith(marks.text)) return collectText(this.#view.get(_ref.slice(marks.text.length)))
    // No document has a longer id.
    if (_ref.length <= maxKeyLength) this.tags.add('_id', [_ref])
    return this.#view.get(_ref)
  }

  #answer(number: number): unknown {
    const subquery = this.#rewritten.subqueries[number]
    if (!this.#subqueryAnswers.has(number) && subquery !== undefined) {
      this.#subqueryAnswers.set(number, this.evaluate(subquery))
    }
    return this.#subqueryAnswers.get(number)
  }

  /** Forgets what was answered so far, to evaluate in another way. */
  restart(): void {
    this.#subqueryAnswers.clear()
  }

  #lookUp(reference: string): readonly Document[] {
    const [number, ...slots] = reference.split(marks.slot)
    const plan = this.#rewritten.plans[Number(number)]
    const choice = plan && choose(plan, slots, this.#view)
    if (choice === undefined) {
      this.tags.addEverything()
      return this.#count(this.#view.all())
    }
    const found = choice.lookups.map(({index, keys}) => {
      this.tags.add(index, keys)
      return this.#view.find(index, keys)
    })
    const [first, ...others] = found
    return this.#count(others.length === 0 ? (first ?? []) : [...new Set(found.flat())].sort(byId))
  }

  #count(documents: readonly Document[]): readonly Document[] {
    this.examined += documents.length
    if (this.examined > maxExamined || performance.now() - this.#start > maxDuration) {
      throw new QueryError('the query takes too long: narrow its filters')
    }
    return documents
  }
}

/** Every string in a value. */
function collectText(value: unknown, into: string[] = []): string[] {
  if (typeof value === 'string') into.push(value)
  else if (Array.isArray(value)) for (const item of value) collectText(item, into)
  else if (isJsonObject(value)) for (const key in value) collectText(value[key], into)
  return into
}
