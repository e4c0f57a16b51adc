import {type Glob, type Segment, segmentText} from '../../schemas/rules/paths/glob.ts'
import {matchesSegment, type PathPattern} from '../../schemas/rules/paths/matchPath.ts'

/** How a path differs from the nearest path of a pattern. */
export type Mismatch = {
  /** The nearest of the paths and globs that the pattern expands to. */
  readonly nearest: string
  /** How many there are. */
  readonly alternatives: number
  /** Undefined: no segment is the same. */
  readonly difference?: Difference
}

export type Difference =
  /** One segment of the path is not what the pattern has there. */
  | {readonly kind: 'segment'; readonly expected: string; readonly found: string}
  /** Only upper and lower case differ. */
  | {readonly kind: 'case'; readonly expected: string; readonly found: string}
  /** The path has further segments, such as "/7". */
  | {readonly kind: 'longer'; readonly rest: string}
  /** The pattern has further segments. */
  | {readonly kind: 'shorter'; readonly missing: string}

type Comparison = {
  /** The number of equal segments, with a fraction for similar ones. */
  readonly score: number
  readonly difference: Difference
}

/** Explains why a normalised path does not match a pattern. */
export function explainMismatch({literals, globs}: PathPattern, path: string): Mismatch {
  const alternatives = [
    ...literals.map((text) => ({text, head: segmentsIn(text), tail: undefined})),
    ...globs,
  ]
  const [nearest] = alternatives
    .map((alternative) => ({text: alternative.text, ...compare(alternative, path)}))
    .sort((a, b) => b.score - a.score)
  return {
    nearest: nearest?.text ?? '',
    alternatives: alternatives.length,
    ...(nearest !== undefined && nearest.score >= NEAR && {difference: nearest.difference}),
  }
}

/** The score from which the difference is worth telling: otherwise, the pattern is simply for other pages. */
const NEAR = 0.5

function compare({head, tail}: Pick<Glob, 'head' | 'tail'>, path: string): Comparison {
  const given = segmentsIn(path)
  const start = commonLength(head, given)
  const [expected, found] = [head[start], given[start]]
  if (expected !== undefined && found !== undefined) return differing(start, expected, found)
  if (expected !== undefined)
    return {score: start, difference: {kind: 'shorter', missing: join(head.slice(start))}}
  const rest = given.slice(start)
  if (tail === undefined) return {score: start, difference: {kind: 'longer', rest: join(rest)}}
  const end = commonLength(tail, rest.toReversed())
  const [tailExpected, tailFound] = [tail[end], rest.at(-1 - end)]
  return tailExpected !== undefined && tailFound !== undefined
    ? differing(start + end, tailExpected, tailFound)
    : {score: start + end, difference: {kind: 'shorter', missing: join(tail.slice(end).toReversed())}}
}

/** A segment that differs in case only is nearly equal; others are compared by how they begin. */
function differing(equal: number, segment: Segment, found: string): Comparison {
  const expected = segmentText(segment)
  const isCase = matches(inLowerCase(segment), found.toLowerCase())
  const similarity = commonLength([...expected], [...found]) / (1 + Math.max(expected.length, found.length))
  return {
    score: equal + (isCase ? NEAR : similarity * NEAR),
    difference: {kind: isCase ? 'case' : 'segment', expected, found},
  }
}

function segmentsIn(path: string): string[] {
  return path === '/' || path === '' ? [] : path.slice(1).split('/')
}

function inLowerCase(segment: Segment): Segment {
  if (typeof segment === 'string') return segment.toLowerCase()
  return {start: segment.start.toLowerCase(), end: segment.end?.toLowerCase()}
}

function matches(expected: Segment, found: string | undefined): boolean {
  return found !== undefined && matchesSegment(expected, found, 0, found.length)
}

/** The number of items from the start that match. */
function commonLength(wanted: readonly Segment[], given: readonly string[]): number {
  const different = wanted.findIndex((item, index) => !matches(item, given[index]))
  return different < 0 ? wanted.length : different
}

function join(segments: readonly Segment[]): string {
  return `/${segments.map(segmentText).join('/')}`
}
