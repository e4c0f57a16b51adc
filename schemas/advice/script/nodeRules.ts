import type {AnyNode} from 'acorn'
import type {Advice} from '../advice.ts'
import type {ScriptFacts} from './tree/program.ts'
import type {Found} from './tree/walk.ts'

type Type = AnyNode['type']

/** Advice on single nodes of a script. */
export type NodeRule = {
  /** The types of nodes that it may be about. */
  readonly types: readonly Type[]
  /** @param schema the tool's input schema, undefined if it is invalid */
  readonly advise: (
    found: Found,
    facts: ScriptFacts,
    schema: Record<string, unknown> | undefined,
  ) => Advice | readonly Advice[] | undefined
}

/** Rules that look at the nodes of a script together: most nodes are of types that few rules are about. */
export class NodeRules {
  readonly #count: number
  readonly #byType = new Map<Type, {readonly number: number; readonly advise: NodeRule['advise']}[]>()

  constructor(rules: readonly NodeRule[]) {
    this.#count = rules.length
    for (const [number, {types, advise}] of rules.entries()) {
      for (const type of types) this.#byType.set(type, [...(this.#byType.get(type) ?? []), {number, advise}])
    }
  }

  /** Returns the advice of each rule, in the order of the nodes. */
  apply(facts: ScriptFacts, schema: Record<string, unknown> | undefined): Advice[][] {
    const advice = Array.from({length: this.#count}, (): Advice[] => [])
    for (const found of facts.nodes) {
      for (const {number, advise} of this.#byType.get(found.node.type) ?? NONE) {
        const said = advise(found, facts, schema)
        if (said !== undefined) advice[number]?.push(...[said].flat())
      }
    }
    return advice
  }
}

const NONE: readonly never[] = []
