import {versionedId} from '../../../../content/ids.ts'
import {QueryError} from '../../errors.ts'
import {DateTime, scalarText} from '../../scalars.ts'
import {type Code, mapped, type Scope, unary} from '../code.ts'
import {PathPattern} from '../pathPattern.ts'
import {refersTo} from '../references.ts'
import {attributeOf} from '../values.ts'
import {lengthOf, listFunctions} from './listFunctions.ts'
import {join, letters, split, textOfBlocks} from './textFunctions.ts'

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
