import {versionedId} from '../../../../content/ids.ts'
import type {Budget} from '../../budget.ts'
import {QueryError} from '../../errors.ts'
import {DateTime, scalarText} from '../../scalars.ts'
import {type Code, mapped, type Scope, unary} from '../code.ts'
import {PathPattern} from '../pathPattern.ts'
import {refersTo} from '../references.ts'
import {attributeOf, finite, isEqual, isRecord} from '../values.ts'

type Apply = (values: readonly unknown[], budget: Budget) => unknown

/** Functions of lists. */
const listFunctions: readonly (readonly [name: string, apply: Apply])[] = [
  ['array::compact', ([list], budget) => filtered(list, (item) => item !== null, budget)],
  ['array::intersects', ([left, right], budget) => intersects(left, right, budget)],
  ['array::unique', ([list], budget) => unique(list, budget)],
  ['math::avg', ([list], budget) => ofNumbers(list, average, budget)],
  ['math::max', ([list], budget) => ofNumbers(list, (numbers) => extreme(numbers, (a, b) => a > b), budget)],
  ['math::min', ([list], budget) => ofNumbers(list, (numbers) => extreme(numbers, (a, b) => a < b), budget)],
  ['math::sum', ([list], budget) => ofNumbers(list, (numbers) => finite(sum(numbers)), budget)],
]

/** The number of characters of a text, or of items of a list. */
function lengthOf(value: unknown, budget: Budget): number | null {
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'string') return null
  budget.step(value.length >> 3)
  let count = 0
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    // The first half of a pair is not a separate character.
    if (unit < 0xd800 || unit > 0xdbff) count += 1
  }
  return count
}

function filtered(list: unknown, test: (item: unknown) => boolean, budget: Budget): unknown {
  if (!Array.isArray(list)) return null
  budget.takeList(list.length)
  return list.filter(test)
}

/** Estimated bytes of an item of a set. */
const SET_ITEM_BYTES = 40

function unique(list: unknown, budget: Budget): unknown {
  if (!Array.isArray(list)) return null
  const {mark} = budget
  budget.take(SET_ITEM_BYTES * list.length)
  const seen = new Set<unknown>()
  const result = filtered(
    list,
    (item) => {
      budget.step(typeof item === 'string' ? item.length >> 4 : 1)
      if (item === null || (typeof item === 'object' && !(item instanceof DateTime)) || !seen.has(item)) {
        seen.add(item)
        return true
      }
      return false
    },
    budget,
  )
  budget.release(mark, 16 * list.length)
  return result
}

function intersects(left: unknown, right: unknown, budget: Budget): boolean | null {
  if (!Array.isArray(left) || !Array.isArray(right)) return null
  return left.some((item) => {
    budget.step(1 + (right.length >> 1))
    return right.some((other) => isEqual(item ?? null, other ?? null, budget))
  })
}

/** Applies a function to a list of numbers. Null is left out; any other value makes the result null. */
function ofNumbers(
  list: unknown,
  apply: (numbers: readonly number[]) => number | null,
  budget: Budget,
): unknown {
  if (!Array.isArray(list)) return null
  budget.takeList(list.length)
  const numbers: number[] = []
  for (const item of list) {
    if (item === null) continue
    if (typeof item !== 'number') return null
    numbers.push(item)
  }
  return apply(numbers)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function average(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : finite(sum(numbers) / numbers.length)
}

function extreme(numbers: readonly number[], isBetter: (a: number, b: number) => boolean): number | null {
  const [first, ...others] = numbers
  return first === undefined
    ? null
    : others.reduce((best, number) => (isBetter(number, best) ? number : best), first)
}

/** Estimated bytes of a piece of a text. */
const PIECE_BYTES = 32

/** A text in lower or upper case. */
function letters(value: unknown, change: (text: string) => string, budget: Budget): unknown {
  if (typeof value !== 'string') return null
  // Some characters become several, such as ß.
  budget.takeText(value.length)
  const changed = change(value)
  budget.takeText(changed.length - value.length)
  return changed
}

/** GROQ's `string::split()`. */
function split(text: unknown, separator: unknown, budget: Budget): unknown {
  if (typeof text !== 'string' || typeof separator !== 'string') return null
  if (text === '') return []
  const {mark} = budget
  budget.takeText(text.length)
  budget.take(PIECE_BYTES * (text.length / Math.max(1, separator.length)))
  const pieces = separator === '' ? Array.from(text) : text.split(separator)
  budget.release(mark, 2 * text.length + PIECE_BYTES * pieces.length)
  budget.step(pieces.length)
  return pieces
}

/** GROQ's `array::join()`. */
function join(list: unknown, separator: unknown, budget: Budget): unknown {
  if (!Array.isArray(list) || typeof separator !== 'string') return null
  budget.takeList(list.length)
  const parts: string[] = []
  let length = 0
  for (const item of list) {
    const text = scalarText(item)
    if (text === undefined) return null
    length += text.length + separator.length
    parts.push(text)
  }
  budget.takeText(length)
  return parts.join(separator)
}

/** GROQ's `pt::text()`: the text of Portable Text blocks. */
function textOfBlocks(value: unknown, budget: Budget): unknown {
  if (isRecord(value)) return textOfBlock(value, budget)
  if (!Array.isArray(value)) return null
  const texts: string[] = []
  collectBlocks(value, texts, budget)
  if (texts.length === 0) return null
  budget.takeText(texts.reduce((sum, text) => sum + text.length + 2, 0))
  return texts.join('\n\n')
}

function collectBlocks(list: readonly unknown[], into: string[], budget: Budget): void {
  for (const block of list) {
    budget.step(1)
    if (Array.isArray(block)) collectBlocks(block, into, budget)
    const text = isRecord(block) ? textOfBlock(block, budget) : null
    if (text === null) continue
    budget.takeList(1)
    into.push(text)
  }
}

function textOfBlock({_type, children}: {readonly [name: string]: unknown}, budget: Budget): string | null {
  if (typeof _type !== 'string' || !Array.isArray(children)) return null
  budget.step(children.length)
  const texts: string[] = []
  let length = 0
  for (const child of children) {
    if (!isRecord(child) || child._type !== 'span' || typeof child.text !== 'string') continue
    length += child.text.length
    texts.push(child.text)
  }
  budget.takeText(length)
  return texts.join('')
}

/** Compiles a call of a function, given its compiled arguments. */
type Compile = (args: readonly Code[]) => Code

/** A function of one argument. */
function one(apply: (value: unknown, scope: Scope) => unknown): Compile {
  return ([arg = nothing]) => unary(arg, apply)
}

/** A function of all its arguments. */
function all(apply: (values: readonly unknown[], scope: Scope) => unknown): Compile {
  return (args) => mapped(args, apply)
}

const nothing: Code = () => null

const lower = one((value, {evaluation}) => letters(value, (text) => text.toLowerCase(), evaluation.budget))
const upper = one((value, {evaluation}) => letters(value, (text) => text.toUpperCase(), evaluation.budget))

/** GROQ's functions by namespace and name: https://www.sanity.io/docs/specifications/groq-functions */
export const functions: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ['global::coalesce', coalesce],
  ['global::count', one((value) => (Array.isArray(value) ? value.length : null))],
  ['global::dateTime', one(dateTime)],
  ['global::defined', one((value) => value !== null)],
  [
    'global::identity',
    () =>
      ({evaluation}) =>
        evaluation.environment.identity,
  ],
  ['global::length', one((value, {evaluation}) => lengthOf(value, evaluation.budget))],
  ['global::lower', lower],
  [
    'global::now',
    () =>
      ({evaluation}) =>
        evaluation.time.toISOString(),
  ],
  ['global::path', one((value) => (typeof value === 'string' ? new PathPattern(value) : null))],
  ['global::references', all((values, {value, evaluation}) => refersTo(value, values, evaluation.budget))],
  ['global::round', all(round)],
  ['global::string', one((value) => scalarText(value) ?? null)],
  ['global::upper', upper],
  ...listFunctions.map(([name, apply]): [string, Compile] => [
    name,
    all((values, {evaluation}) => apply(values, evaluation.budget)),
  ]),
  ['array::join', all(([list, separator], {evaluation}) => join(list, separator, evaluation.budget))],
  [
    'dateTime::now',
    () =>
      ({evaluation}) =>
        DateTime.of(evaluation.time.getTime()),
  ],
  ['delta::operation', () => nothing],
  ['pt::text', one((value, {evaluation}) => textOfBlocks(value, evaluation.budget))],
  [
    'sanity::dataset',
    () =>
      ({evaluation}) =>
        evaluation.environment.dataset,
  ],
  ['sanity::partOfRelease', one((release, {value}) => isPartOf(value, release))],
  [
    'sanity::projectId',
    () =>
      ({evaluation}) =>
        evaluation.environment.projectId,
  ],
  ['sanity::versionOf', one((id, {value}) => isVersionOf(value, id))],
  ['string::lower', lower],
  ['string::split', all(([text, separator], {evaluation}) => split(text, separator, evaluation.budget))],
  [
    'string::startsWith',
    all(([text, start]) =>
      typeof text === 'string' && typeof start === 'string' ? text.startsWith(start) : null,
    ),
  ],
  ['string::upper', upper],
])

/** A function that the parser knows but no lake can evaluate. */
export const notImplemented: Compile = () => () => {
  throw new QueryError('not implemented')
}

/** The first argument that is not null. Later ones are not evaluated. */
function coalesce(args: readonly Code[]): Code {
  return (scope) => {
    scope.evaluation.budget.step(1 + args.length)
    for (const arg of args) {
      const value = arg(scope)
      if (value !== null) return value
    }
    return null
  }
}

function dateTime(value: unknown): unknown {
  if (value instanceof DateTime) return value
  return typeof value === 'string' ? DateTime.parse(value) : null
}

function round([value, precision]: readonly unknown[]): unknown {
  if (typeof value !== 'number') return null
  if (precision === undefined || precision === 0) return value < 0 ? -Math.round(-value) : Math.round(value)
  if (typeof precision !== 'number' || precision < 0 || !Number.isInteger(precision)) return null
  if (precision > 100) throw new QueryError('round() takes a precision of at most 100')
  return Number(value.toFixed(precision))
}

/** Whether a document is the one with this id, or a draft or release version of it. */
function isVersionOf(document: unknown, id: unknown): boolean | null {
  const own = attributeOf(document, '_id')
  if (typeof id !== 'string' || typeof own !== 'string') return null
  return own === id || versionedId(own) === id
}

function isPartOf(document: unknown, release: unknown): boolean | null {
  const own = attributeOf(document, '_id')
  if (typeof release !== 'string' || typeof own !== 'string') return null
  const [space, name, ...others] = own.split('.')
  return space === 'versions' && others.length > 0 && name === release
}
