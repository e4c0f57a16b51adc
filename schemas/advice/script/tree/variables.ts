import type {AnyNode, Expression} from 'acorn'
import {analyze, type Variable} from 'eslint-scope'
import type {Found} from './walk.ts'

/** The variables that a script declares, and which of them its names mean. */
export class Variables {
  readonly #byName = new Map<object, Variable>()
  readonly #initialValues = new Map<object, Expression>()

  /**
   * @param program a syntax tree with ranges, which eslint-scope needs
   * @param declarators all nodes of the tree, among them its variable declarators
   */
  constructor(program: unknown, declarators: readonly Found[]) {
    if (!isProgram(program)) return
    // By default, one call of `eval` makes all variables unknown.
    const {scopes} = analyze(program, {ecmaVersion: 2025, sourceType: 'module', ignoreEval: true})
    for (const variable of scopes.flatMap(({variables}) => variables)) {
      for (const name of variable.identifiers) this.#byName.set(name, variable)
      for (const {identifier} of variable.references) this.#byName.set(identifier, variable)
    }
    for (const {node} of declarators)
      if (node.type === 'VariableDeclarator' && node.init) this.#initialValues.set(node.id, node.init)
  }

  /** Whether the script declares the variable that an identifier stands for. */
  declares(node: AnyNode): boolean {
    return this.#byName.has(node)
  }

  /** Whether an identifier stands for a variable that is declared once, and that no assignment changes. */
  isConstant(node: AnyNode): boolean {
    const variable = this.#byName.get(node)
    if (variable?.identifiers.length !== 1) return false
    return variable.references.every((reference) => !reference.isWrite() || reference.init === true)
  }

  /** The initial value of a variable that is never assigned again. */
  initialValue(node: AnyNode): Expression | undefined {
    const [name] = this.#byName.get(node)?.identifiers ?? []
    return name !== undefined && this.isConstant(node) ? this.#initialValues.get(name) : undefined
  }
}

/** acorn and eslint-scope declare the same trees with different types. */
function isProgram(program: unknown): program is Parameters<typeof analyze>[0] {
  return typeof program === 'object' && program !== null && 'type' in program && program.type === 'Program'
}
