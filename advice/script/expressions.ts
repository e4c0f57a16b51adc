import type {AnyNode, ThrowStatement} from 'acorn'
import {type Advice, advise} from '../advice.ts'
import {adviseAssignment} from './callbacks.ts'
import {adviseNode, type NodeOf, wrapped} from './tree/nodes.ts'
import type {ScriptFacts, Undeclared} from './tree/program.ts'

/** Advice on a condition that assigns. */
export function adviseCondition({
  test,
}: NodeOf<'IfStatement' | 'WhileStatement' | 'ConditionalExpression'>): Advice | undefined {
  // `while (node = next())` is a known idiom.
  const isIdiom = test.type === 'AssignmentExpression' && test.right.type === 'CallExpression'
  return isIdiom ? undefined : adviseAssignment(test)
}

export function adviseThrow(node: ThrowStatement): Advice | undefined {
  if (!isNoError(node.argument)) return undefined
  const message =
    'Throw an Error, so that agents get its message, and the browser’s console shows where it came from: throw new Error(…).'
  const {argument} = node
  const isText =
    argument.type === 'TemplateLiteral' || (argument.type === 'Literal' && typeof argument.value === 'string')
  const fix = {title: 'Throw an Error', edits: wrapped(argument, 'new Error(', ')')}
  return adviseNode('THROW_WITHOUT_ERROR', node, message, isText ? fix : undefined)
}

/** Whether a thrown value is certainly something else than an error. */
function isNoError(node: AnyNode): boolean {
  if (node.type === 'Identifier') return node.name === 'undefined'
  return ['Literal', 'TemplateLiteral', 'ObjectExpression', 'ArrayExpression'].includes(node.type)
}

/** Names under which scripts of other systems find their arguments. */
const ARGUMENT_NAMES: ReadonlySet<string> = new Set(
  'arguments argument arg input inputs parameters params props req request'.split(' '),
)

/** Advice on variables that neither the script nor the browser declares. */
export function adviseUndeclared(facts: ScriptFacts): Advice[] {
  return facts.undeclared().map((variable) => {
    const message = `“${variable.name}” is not declared in this script. ${remedyFor(variable)}`
    return advise('VARIABLE_UNDECLARED', 'executeJs', message, {offset: variable.offset})
  })
}

function remedyFor({name, isAssigned}: Undeclared): string {
  if (name === '$' || name === 'jQuery') {
    return `If your page has jQuery, write window.${name}; else use document.querySelector(…).`
  }
  if (name === 'require' || name === 'process')
    return 'It exists in Node.js only, and a script runs on the page.'
  if (ARGUMENT_NAMES.has(name))
    return 'The arguments are in “args”: write args.city for the parameter “city”.'
  if (isAssigned) return `Declare it where it gets its first value: let ${name} = ….`
  return `If it is a parameter, write args.${name}. If your page defines it, write window.${name}.`
}
