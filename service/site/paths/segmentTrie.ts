import type {Glob, Segment, WildSegment} from '../../../schemas/rules/paths/glob.ts'
import {compileGlob} from '../../../schemas/rules/paths/matchPath.ts'
import {AffixIndex} from './affixIndex.ts'

/** Trying this many globs is faster than dividing them further, and takes less memory. */
const FEW = 4

/** A compiled glob and its value. */
type Leaf<T> = {readonly matches: (path: string) => boolean; readonly value: T}

/**
 * A leaf while the trie is built. Its segments distinguish it from other leaves, in the order of comparison:
 * first those before a `**`, then those after it.
 */
type Route<T> = {
  readonly leaf: Leaf<T>
  readonly segments: readonly Segment[]
  readonly tail: readonly Segment[] | undefined
}

type Node<T> = Branch<T> | readonly Leaf<T>[]

/** Work that can be interrupted at each `yield`: indexing many globs takes long enough to delay requests. */
type Building<T> = Generator<undefined, T>

/** Globs to prepare between two interruptions. */
const AT_A_TIME = 500

/**
 * Narrows many globs down to the few that may match a path, segment by segment, and tries these.
 *
 * Segments before a `**` are compared from the start of the path, those after it from the end, and no node is
 * visited twice. A lookup therefore never costs much more than trying every glob, and only costs that if the
 * path agrees with all of them until few are left.
 */
export class SegmentTrie<T> {
  readonly #root: Node<T>

  private constructor(root: Node<T>) {
    this.#root = root
  }

  /** @param globs different ones, with their values. */
  static *build<T>(globs: Iterable<readonly [Glob, T]>): Building<SegmentTrie<T>> {
    const routes: Route<T>[] = []
    for (const [glob, value] of globs) {
      const matches = glob.text === EVERY_PAGE ? matchesEveryPage : compileGlob(glob)
      routes.push({leaf: {matches, value}, segments: glob.head, tail: glob.tail})
      if (routes.length % AT_A_TIME === 0) yield
    }
    return new SegmentTrie(yield* buildNode(routes, 0))
  }

  /** Returns the values of the globs that match a normalized path, in no particular order. */
  match(path: string): T[] {
    const found: T[] = []
    searchForwards(this.#root, path, 1, found)
    return found
  }
}

/** @param start where the path's next segment begins; beyond the end of the path if there is none. */
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

/** @param end where the path's next segment, counted from the end, ends; less than 1 if there is none. */
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

/** Nearly all sites have a tool for every page, so they share its matcher. */
const EVERY_PAGE = '/**'
const matchesEveryPage = compileGlob({text: EVERY_PAGE, head: [], tail: []})

function tryEach<T>(leaves: readonly Leaf<T>[], path: string, found: T[]): void {
  for (const {matches, value} of leaves) if (matches(path)) found.push(value)
}

function* buildNode<T>(routes: readonly Route<T>[], depth: number): Building<Node<T>> {
  if (routes.length <= FEW) return routes.map(({leaf}) => leaf)
  yield
  const ending: Leaf<T>[] = []
  const tails: Route<T>[] = []
  const literals = new Map<string, Route<T>[]>()
  const wild: WildRoute<T>[] = []
  for (const route of routes) {
    const {leaf, segments, tail} = route
    const segment = segments[depth]
    if (typeof segment === 'string') add(literals, segment, route)
    else if (segment !== undefined) wild.push({route, segment})
    else if (tail !== undefined) tails.push({leaf, segments: tail, tail: undefined})
    else ending.push(leaf)
  }
  return new Branch(
    ending,
    tails.length > 0 ? yield* buildNode(tails, 0) : undefined,
    yield* builtEach(literals, (group) => buildNode(group, depth + 1)),
    wild.length > 0 ? yield* buildWildSegments(wild, depth) : undefined,
  )
}

/** Divides globs by one segment. */
class Branch<T> {
  /** The globs that end with the previous segment. */
  readonly ending: readonly Leaf<T>[]
  /** The globs with `**` here, by the segments after it, starting from the last one. */
  readonly tails: Node<T> | undefined
  readonly #literals: ReadonlyMap<string, Node<T>>
  readonly #wildcards: WildSegments<T> | undefined

  constructor(
    ending: readonly Leaf<T>[],
    tails: Node<T> | undefined,
    literals: ReadonlyMap<string, Node<T>>,
    wildcards: WildSegments<T> | undefined,
  ) {
    this.ending = ending
    this.tails = tails
    this.#literals = literals
    this.#wildcards = wildcards
  }

  /** Returns the nodes of the segments that may match this one. */
  below(segment: string): readonly Node<T>[] {
    const literal = this.#literals.get(segment)
    const wild = this.#wildcards?.of(segment) ?? []
    if (literal !== undefined) wild.push(literal)
    return wild
  }
}

/** Segments with wildcards, by the text before the first wildcard and then by the text after the last one. */
class WildSegments<T> {
  readonly #byBeginning: AffixIndex<AffixIndex<Node<T>>>

  constructor(byBeginning: AffixIndex<AffixIndex<Node<T>>>) {
    this.#byBeginning = byBeginning
  }

  /** Returns the nodes of the segments that may match this one. */
  of(segment: string): Node<T>[] {
    return this.#byBeginning.of(segment).flatMap((byEnd) => byEnd.of(segment))
  }
}

/** A route, and its segment with wildcards at the depth of a node. */
type WildRoute<T> = {readonly route: Route<T>; readonly segment: WildSegment}

function* buildWildSegments<T>(wild: readonly WildRoute<T>[], depth: number): Building<WildSegments<T>> {
  const byBeginning = Map.groupBy(wild, ({segment}) => beginningOf(segment))
  const built = yield* builtEach(byBeginning, function* (group) {
    const byEnd = Map.groupBy(group, ({segment}) => endOf(segment))
    return new AffixIndex(
      'end',
      yield* builtEach(byEnd, (alike) =>
        buildNode(
          alike.map(({route}) => route),
          depth + 1,
        ),
      ),
    )
  })
  return new WildSegments(new AffixIndex('beginning', built))
}

/** The text before the first wildcard of a segment. */
function beginningOf({start}: WildSegment): string {
  return start.split('?', 1)[0] ?? ''
}

/** The text after the last wildcard of a segment. */
function endOf({start, end = start}: WildSegment): string {
  return end.slice(end.lastIndexOf('?') + 1)
}

function* builtEach<T, V>(
  groups: ReadonlyMap<string, T>,
  build: (group: T) => Building<V>,
): Building<Map<string, V>> {
  const values = new Map<string, V>()
  for (const [key, group] of groups) values.set(key, yield* build(group))
  return values
}

function add<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}
