import picomatch from 'picomatch'
import {compilePathPattern, type PathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {PathIndex} from '../../service/site/paths/pathIndex.ts'
import type {Summary, Table} from '../report.ts'
import type {Run} from '../run.ts'
import {costOf, type Decide, inTurns} from './clock.ts'
import {type AlikeSet, alike, TOLD_APART, TRIED, usualPath, usualPatterns} from './patterns.ts'

type Row = Table['rows'][number]

/** Measures how fast the patterns that match a path are found, for new paths and for the worst paths. */
export async function benchPaths(run: Run): Promise<Summary> {
  const rounds = run.quick ? 3 : 7
  const tables: Readonly<Record<string, () => Row[]>> = {
    'One new path against many patterns': () =>
      [10, 100, 1_000, 10_000].map((count) => usualRow(count, rounds)),
    'Worst paths: the index can tell the patterns apart': () =>
      TOLD_APART.flatMap((set) => [1_000, 10_000].map((count) => alikeRow(set, count, rounds))),
    'Worst patterns: the index has to try each': () =>
      TRIED.flatMap((set) => [100, 1_000].map((count) => alikeRow(set, count, rounds))),
    'Size and build time of an index': () => sizeRows(rounds),
  }
  for (const [title, rows] of Object.entries(tables)) if (run.wants(title)) run.show({title, rows: rows()})
  return {
    title: 'Paths',
    method: [
      'Medians of rounds in turns, on one thread. Of the usual patterns, 60 % are exact paths, 25 % like `/a/b/*` and 15 % like `/a/**`. Every path is a new string; half of the usual paths match a pattern.',
      'The baselines try one pattern after the other: picomatch’s regular expressions, and the matchers that the index consists of. All find the same matches.',
      'Worst cases: `#` is a number, the only difference between the patterns, and the path matches all of them up to there.',
      'Bytes: growth of the heap, including the texts of the patterns.',
    ],
  }
}

function usualRow(count: number, rounds: number): Row {
  const patterns = usualPatterns(count)
  const expressions = patterns.map(({source}) => picomatch.makeRe(source, {dot: true}))
  const times = inTurns(rounds, (visit) => usualPath(visit, count), {
    'index µs': indexed(patterns),
    'picomatch µs': (path) => expressions.filter((expression) => expression.test(path)).length,
    'each matcher µs': oneByOne(patterns),
  })
  const {'index µs': ours = Number.NaN, 'picomatch µs': theirs = Number.NaN} = times
  return {patterns: count, ...times, 'picomatch ÷ index': theirs / ours}
}

function alikeRow(set: AlikeSet, count: number, rounds: number): Row {
  const patterns = alike(set, count)
  const index = indexed(patterns)
  const times = inTurns(rounds, () => set.path, {'index µs': index, 'each matcher µs': oneByOne(patterns)})
  return {
    'patterns like': shortened(set.pattern),
    'a path like': shortened(set.path),
    patterns: count,
    matching: index(set.path),
    ...times,
  }
}

function sizeRows(rounds: number): Row[] {
  const sets: readonly {name: string; many: number; patterns: () => PathPattern[]}[] = [
    {name: '10 exact', many: 1_000, patterns: () => alike({pattern: '/shelf/page-#'}, 10)},
    {name: '10 usual', many: 1_000, patterns: () => usualPatterns(10)},
    {name: '1,000 usual', many: 10, patterns: () => usualPatterns(1_000)},
    {name: '10,000 usual', many: 1, patterns: () => usualPatterns(10_000)},
    {name: '10,000 like /p#-*', many: 1, patterns: () => alike({pattern: '/p#-*'}, 10_000)},
  ]
  return sets.map(({name, many, patterns}) => {
    const {milliseconds, bytes} = costOf(rounds, many, patterns, (prepared) => new PathIndex(prepared))
    return {patterns: name, 'build ms': milliseconds, bytes}
  })
}

function indexed(patterns: readonly PathPattern[]): Decide {
  const index = new PathIndex(patterns)
  return (path) => index.match(path).length
}

function oneByOne(patterns: readonly PathPattern[]): Decide {
  const matchers = patterns.map(compilePathPattern)
  return (path) => matchers.filter((matches) => matches(path)).length
}

function shortened(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 18)} … ${text.slice(-9)}`
}
