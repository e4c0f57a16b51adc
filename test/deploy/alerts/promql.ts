import assert from 'node:assert/strict'
import {parser} from '@prometheus-io/lezer-promql'

export type Labels = Readonly<Record<string, string>>

/** What was scraped of one series: a value for each minute; undefined while its target is down or unknown. */
export type Series = {readonly labels: Labels; readonly values: readonly (number | undefined)[]}

export type Sample = {readonly labels: Labels; readonly value: number}

/** A node of the parse tree. */
type Node = ReturnType<typeof parser.parse>['topNode']

const NAME = '__name__'

/**
 * Evaluates PromQL as Prometheus does, for the functions and operators that our rules use; it throws for others. Where promtool is
 * installed, `alerts.promtool.test.ts` compares the results.
 * https://prometheus.io/docs/prometheus/latest/querying/basics/
 */
export class Evaluator {
  readonly #query: string
  readonly #top: Node
  readonly #series: readonly Series[]
  readonly #start: number

  /** @param start of the series, in seconds since 1970 */
  constructor(query: string, series: readonly Series[], start = 0) {
    this.#query = query
    const [top, ...others] = childrenOf(parser.parse(query).topNode)
    assert.ok(top && others.length === 0, query)
    this.#top = top
    this.#series = series
    this.#start = start
  }

  /** @param minute since the start of the series */
  at(minute: number): readonly Sample[] {
    const result = this.#evaluate(this.#top, minute)
    assert.ok(typeof result !== 'number', `a scalar: ${this.#query}`)
    return result
  }

  #evaluate(node: Node, minute: number): readonly Sample[] | number {
    switch (node.name) {
      case 'NumberDurationLiteral':
        return Number(this.#text(node))
      case 'ParenExpr':
        return this.#evaluate(only(node), minute)
      case 'VectorSelector':
        return this.#select(node).flatMap(({labels, values}) => {
          const value = values[minute]
          return value === undefined ? [] : [{labels, value}]
        })
      case 'FunctionCall':
        return this.#call(node, minute)
      case 'AggregateExpr':
        return this.#aggregate(node, minute)
      case 'BinaryExpr':
        return this.#combine(node, minute)
      default:
        throw new Error(`not supported here: ${node.name} in ${this.#query}`)
    }
  }

  #vector(node: Node, minute: number): readonly Sample[] {
    const result = this.#evaluate(node, minute)
    assert.ok(typeof result !== 'number')
    return result
  }

  #select(node: Node): readonly Series[] {
    const name = child(node, 'Identifier')
    const matchers = (child(node, 'LabelMatchers', true) ? childrenOf(child(node, 'LabelMatchers')) : []).map(
      (matcher) => {
        const [label, operator, text] = childrenOf(matcher).map((part) => this.#text(part))
        return matcherOf(String(label), String(operator), JSON.parse(String(text)))
      },
    )
    return this.#series.filter(
      ({labels}) => labels[NAME] === this.#text(name) && matchers.every((matches) => matches(labels)),
    )
  }

  #call(node: Node, minute: number): readonly Sample[] | number {
    const name = this.#text(child(node, 'FunctionIdentifier'))
    const [first, second] = childrenOf(child(node, 'FunctionCallBody'))
    if (name === 'time') return this.#start + minute * 60
    assert.ok(first)
    if (name === 'absent') return this.#vector(first, minute).length === 0 ? [{labels: {}, value: 1}] : []
    if (name === 'abs')
      return this.#vector(first, minute).map((one) => unnamed(one.labels, Math.abs(one.value)))
    if (name === 'histogram_quantile') {
      assert.ok(second)
      return quantiles(Number(this.#text(first)), this.#vector(second, minute))
    }
    const overTime = OVER_TIME[name]
    assert.ok(overTime && first.name === 'MatrixSelector', `not supported here: ${name}`)
    const minutes = minutesOf(this.#text(child(first, 'DurationExpr')))
    return this.#select(child(first, 'VectorSelector')).flatMap(({labels, values}) => {
      const from = Math.max(0, minute - minutes)
      const points = values
        .slice(from, minute + 1)
        .flatMap((value, at) => (value === undefined ? [] : [{at, value}]))
      const value = overTime(points, minutes)
      return value === undefined ? [] : [unnamed(labels, value)]
    })
  }

  #aggregate(node: Node, minute: number): readonly Sample[] {
    const name = this.#text(child(node, 'AggregateOp'))
    const aggregate = AGGREGATES[name]
    assert.ok(aggregate, `not supported here: ${name}`)
    const modifier = child(node, 'AggregateModifier', true)
    assert.ok(modifier === undefined || childrenOf(modifier)[0]?.name === 'By')
    const by = modifier === undefined ? [] : this.#grouping(modifier)
    const groups = Map.groupBy(this.#vector(only(child(node, 'FunctionCallBody')), minute), ({labels}) =>
      keyOf(pick(labels, by)),
    )
    return [...groups.values()].map((group) => ({
      labels: pick(group[0]?.labels ?? {}, by),
      value: aggregate(group.map(({value}) => value)),
    }))
  }

  #combine(node: Node, minute: number): readonly Sample[] | number {
    const [left, operator, ...rest] = childrenOf(node)
    const right = rest.at(-1)
    assert.ok(left && operator && right)
    const matching = rest.length > 1 ? rest[0] : undefined
    assert.ok(matching === undefined || matching.name === 'MatchingModifierClause')
    assert.ok(matching === undefined || childrenOf(matching)[0]?.name === 'On')
    const key = ({labels}: Sample) =>
      keyOf(matching === undefined ? without(labels, NAME) : pick(labels, this.#grouping(matching)))
    const ours = this.#evaluate(left, minute)
    const theirs = this.#evaluate(right, minute)
    const sign = this.#text(operator)
    if (sign === 'and' || sign === 'or' || sign === 'unless') {
      assert.ok(typeof ours !== 'number' && typeof theirs !== 'number')
      const [mine, others] = [new Set(ours.map(key)), new Set(theirs.map(key))]
      if (sign === 'or') return [...ours, ...theirs.filter((sample) => !mine.has(key(sample)))]
      return ours.filter((sample) => others.has(key(sample)) === (sign === 'and'))
    }
    const compute = ARITHMETIC[sign]
    const compare = COMPARISONS[sign]
    assert.ok(compute || compare, `not supported here: ${sign}`)
    if (typeof ours === 'number' && typeof theirs === 'number') {
      assert.ok(compute)
      return compute(ours, theirs)
    }
    if (typeof ours === 'number') {
      assert.ok(compute && typeof theirs !== 'number', `not supported here: ${this.#query}`)
      return theirs.map(({labels, value}) => unnamed(labels, compute(ours, value)))
    }
    const partner = new Map(
      typeof theirs === 'number' ? [] : theirs.map((sample) => [key(sample), sample.value]),
    )
    return ours.flatMap((sample) => {
      const other = typeof theirs === 'number' ? theirs : partner.get(key(sample))
      if (other === undefined) return []
      if (compute) return [unnamed(sample.labels, compute(sample.value, other))]
      return compare?.(sample.value, other) ? [sample] : []
    })
  }

  #grouping(modifier: Node): string[] {
    return childrenOf(child(modifier, 'GroupingLabels')).map((label) => this.#text(label))
  }

  #text({from, to}: Node): string {
    return this.#query.slice(from, to)
  }
}

type Point = {readonly at: number; readonly value: number}

/** The increase of a counter, which may have been reset, extrapolated to the whole range. */
function increase(points: readonly Point[], minutes: number): number | undefined {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return undefined
  const steps = points.slice(1).map(({value}, index) => {
    const before = points[index]?.value ?? 0
    return value < before ? value : value - before
  })
  return (sum(steps) * minutes) / (last.at - first.at)
}

const OVER_TIME: Readonly<Record<string, (points: readonly Point[], minutes: number) => number | undefined>> =
  {
    increase,
    rate: (points, minutes) => {
      const increased = increase(points, minutes)
      return increased === undefined ? undefined : increased / (minutes * 60)
    },
    changes: (points) =>
      points.length === 0
        ? undefined
        : points.slice(1).filter(({value}, index) => value !== points[index]?.value).length,
    max_over_time: (points) =>
      points.length === 0 ? undefined : Math.max(...points.map(({value}) => value)),
  }

const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum,
  max: (values) => Math.max(...values),
  count: ({length}) => length,
}

const ARITHMETIC: Readonly<Record<string, (one: number, other: number) => number>> = {
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
}

const COMPARISONS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '==': (one, other) => one === other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
}

/** Linear within a bucket. https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile */
function quantiles(quantile: number, samples: readonly Sample[]): readonly Sample[] {
  const groups = Map.groupBy(samples, ({labels}) => keyOf(without(labels, 'le', NAME)))
  return [...groups.values()].flatMap((group) => {
    const buckets = group
      .map(({labels, value}) => ({bound: Number(labels.le?.replace('+Inf', 'Infinity')), count: value}))
      .toSorted((one, other) => one.bound - other.bound)
    const rank = quantile * (buckets.at(-1)?.count ?? 0)
    const at = buckets.findIndex(({count}) => count >= rank)
    const [bucket, before] = [buckets[at], buckets[at - 1] ?? {bound: 0, count: 0}]
    if (!bucket || rank === 0) return []
    const value =
      bucket.bound === Number.POSITIVE_INFINITY
        ? before.bound
        : before.bound +
          ((bucket.bound - before.bound) * (rank - before.count)) / (bucket.count - before.count)
    return [unnamed(without(group[0]?.labels ?? {}, 'le'), value)]
  })
}

function matcherOf(name: string, operator: string, text: string): (labels: Labels) => boolean {
  const pattern = new RegExp(`^(?:${text})$`)
  return (labels) => {
    const value = labels[name] ?? ''
    const matches = operator.endsWith('~') ? pattern.test(value) : value === text
    return matches !== operator.startsWith('!')
  }
}

function minutesOf(duration: string): number {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(duration) ?? []
  return Number(count) * ({m: 1, h: 60, d: 1_440}[unit] ?? Number.NaN)
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  for (let one = node.firstChild; one; one = one.nextSibling) children.push(one)
  return children
}

function child(node: Node, name: string): Node
function child(node: Node, name: string, isOptional: true): Node | undefined
function child(node: Node, name: string, isOptional?: true): Node | undefined {
  const found = node.getChild(name) ?? undefined
  assert.ok(found || isOptional, `${node.name} without ${name}`)
  return found
}

function only(node: Node): Node {
  const [first, ...others] = childrenOf(node)
  assert.ok(first && others.length === 0)
  return first
}

const pick = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)))

const without = (labels: Labels, ...names: readonly string[]): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => !names.includes(name)))

const unnamed = (labels: Labels, value: number): Sample => ({labels: without(labels, NAME), value})

const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).sort())

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
