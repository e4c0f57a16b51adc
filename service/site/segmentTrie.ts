import {compileGlob} from '../../schemas/rules/pathPattern.ts'
import {Affixes} from './affixes.ts'

/** To try this many globs costs less than to divide them, and takes less memory. */
const FEW = 4

/** A glob, and what it stands for. */
type Leaf<T> = {readonly matches: (path: string) => boolean; readonly value: T}

/** A leaf on the way to its place. Its segments are those that tell it from others, in the order of asking. */
type Route<T> = {readonly leaf: Leaf<T>; readonly segments: readonly string[]}

type Node<T> = Branch<T> | readonly Leaf<T>[]

/**
 * Narrows many globs down to the few that a path could match, segment by segment, and tries these.
 *
 * Segments before a `**` are read from the path's beginning, those behind it from the path's end, and no node is entered
 * twice. So however a path is made, a decision never costs much more than trying each glob, and costs that only if the
 * path agrees with each of them until only a few are left to be told apart.
 */
export class SegmentTrie<T> {
  readonly #root: Node<T>

  /** @param globs as `PathPattern` has them, each with what it stands for. */
  constructor(globs: ReadonlyMap<string, T>) {
    const routes = Array.from(globs, ([glob, value]) => ({
      leaf: {matches: compileGlob(glob), value},
      segments: glob.slice(1).split('/'),
    }))
    this.#root = plant(routes, 0)
  }

  /** What the globs that match a normalized path stand for, in no order. */
  match(path: string): T[] {
    const found: T[] = []
    searchForwards(this.#root, path, 1, found)
    return found
  }
}

/** @param start where the path's next segment begins; behind the path if there is none. */
function searchForwards<T>(node: Node<T>, path: string, start: number, found: T[]): void {
  if (!(node instanceof Branch)) tryEach(node, path, found)
  else {
    if (node.tails !== undefined) searchBackwards(node.tails, path, path.length, found)
    if (start > path.length) tryEach(node.ending, path, found)
    else {
      const slash = path.indexOf('/', start)
      const end = slash < 0 ? path.length : slash
      for (const below of node.below(path.slice(start, end))) searchForwards(below, path, end + 1, found)
    }
  }
}

/** @param end where the path's next segment, counted from its last one, ends; before 1 if there is none. */
function searchBackwards<T>(node: Node<T>, path: string, end: number, found: T[]): void {
  if (!(node instanceof Branch)) tryEach(node, path, found)
  else {
    tryEach(node.ending, path, found)
    if (end >= 1) {
      const slash = path.lastIndexOf('/', end - 1)
      for (const below of node.below(path.slice(slash + 1, end))) searchBackwards(below, path, slash, found)
    }
  }
}

function tryEach<T>(leaves: readonly Leaf<T>[], path: string, found: T[]): void {
  for (const {matches, value} of leaves) if (matches(path)) found.push(value)
}

function plant<T>(routes: readonly Route<T>[], depth: number): Node<T> {
  return routes.length <= FEW ? routes.map(({leaf}) => leaf) : new Branch(routes, depth)
}

/** Where globs part by one segment. */
class Branch<T> {
  /** The globs whose last segment was the one before. */
  readonly ending: readonly Leaf<T>[]
  /** The globs with `**` here, by the segments behind it from the last one. */
  readonly tails: Node<T> | undefined
  readonly #literals: ReadonlyMap<string, Node<T>>
  readonly #wildcards: WildSegments<T> | undefined

  constructor(routes: readonly Route<T>[], depth: number) {
    const ending: Leaf<T>[] = []
    const tails: Route<T>[] = []
    const wild: Route<T>[] = []
    const literals: Route<T>[] = []
    for (const route of routes) {
      const segment = route.segments[depth]
      if (segment === undefined) ending.push(route.leaf)
      else if (segment === '**') tails.push({...route, segments: route.segments.slice(depth + 1).reverse()})
      else if (/[*?]/.test(segment)) wild.push(route)
      else literals.push(route)
    }
    const below = (group: readonly Route<T>[]) => plant(group, depth + 1)
    this.ending = ending
    this.tails = tails.length > 0 ? plant(tails, 0) : undefined
    this.#literals = grouped(literals, ({segments}) => segments[depth] ?? '', below)
    this.#wildcards = wild.length > 0 ? new WildSegments(wild, depth) : undefined
  }

  /** The nodes of the segments that could match this one. */
  below(segment: string): readonly Node<T>[] {
    const literal = this.#literals.get(segment)
    const wild = this.#wildcards?.of(segment) ?? []
    if (literal !== undefined) wild.push(literal)
    return wild
  }
}

/** Segments with wildcards, by what is before the first of these, and then by what is behind the last. */
class WildSegments<T> {
  readonly #byBeginning: Affixes<Affixes<Node<T>>>

  constructor(routes: readonly Route<T>[], depth: number) {
    const part =
      (which: RegExp) =>
      ({segments}: Route<T>) =>
        which.exec(segments[depth] ?? '')?.[0] ?? ''
    const byEnd = (group: readonly Route<T>[]) =>
      new Affixes(
        'end',
        grouped(group, part(/[^*?]*$/), (same) => plant(same, depth + 1)),
      )
    this.#byBeginning = new Affixes('beginning', grouped(routes, part(/^[^*?]*/), byEnd))
  }

  /** The nodes of the segments that could match this one. */
  of(segment: string): Node<T>[] {
    return this.#byBeginning.of(segment).flatMap((byEnd) => byEnd.of(segment))
  }
}

function grouped<T, V>(
  items: readonly T[],
  keyOf: (item: T) => string,
  make: (group: readonly T[]) => V,
): Map<string, V> {
  return new Map(Array.from(Map.groupBy(items, keyOf), ([key, group]) => [key, make(group)]))
}
