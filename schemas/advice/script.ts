import type {AnyNode} from 'acorn'
import {isRecord} from '../rules/json.ts'
import {type Advice, advise} from './advice.ts'
import {GLOBALS} from './browserGlobals.generated.ts'
import {isFunction, offsetOf, readProgram, type ScriptFacts} from './program.ts'
import {adviseSecrets} from './secrets.ts'

const FIELD = 'executeJs'

const KNOWN_GLOBALS: ReadonlySet<string> = new Set(GLOBALS)

/** Advice on a script, and the facts that advice on hints needs. */
export type ScriptAdvice = {
  readonly advice: readonly Advice[]
  /** Whether the script sends data in a way that usually changes something. */
  readonly changesData: boolean
}

/**
 * Advice on a tool's script.
 * @param schema the tool's input schema, undefined if it is invalid
 */
export function adviseScript(script: string, schema: Record<string, unknown> | undefined): ScriptAdvice {
  const facts = readProgram(script, KNOWN_GLOBALS)
  if (facts === undefined) return {advice: [], changesData: false}
  const advice = [
    ...(schema === undefined ? [] : adviseArguments(facts, schema)),
    ...adviseUndeclared(facts),
    ...adviseResult(facts),
    ...advisePromises(facts),
    ...adviseThrows(facts),
    ...adviseFetches(facts),
    ...adviseSecrets(facts.nodes, FIELD),
  ]
  return {advice, changesData: facts.nodes.some(({node}) => sendsData(node))}
}

function adviseArguments(facts: ScriptFacts, schema: Record<string, unknown>): Advice[] {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const names = Object.keys(properties)
  const advice: Advice[] = []
  for (const [name, offset] of facts.argumentsRead) {
    if (
      Object.hasOwn(properties, name) ||
      (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
    )
      continue
    const known =
      names.length === 0
        ? 'The tool has no parameters.'
        : `The parameters are ${names.map((known) => `“${known}”`).join(', ')}.`
    const message = `The script reads args.${name}, but there is no parameter “${name}”: it is always undefined. ${known}`
    advice.push(advise('ARGUMENT_UNKNOWN', FIELD, message, offset))
  }
  if (facts.readsAnyArgument) return advice
  for (const name of names) {
    if (facts.argumentsRead.has(name)) continue
    const message = `The script never reads args.${name}, so what an agent puts there has no effect. Use it, or remove the parameter.`
    advice.push(advise('PARAMETER_UNREAD', FIELD, message))
  }
  return advice
}

function adviseUndeclared({undeclared}: ScriptFacts): Advice[] {
  return Array.from(undeclared, ([name, offset]) =>
    advise(
      'VARIABLE_UNDECLARED',
      FIELD,
      `“${name}” is not declared in this script. If it is a parameter, write args.${name}. If your page defines it, write window.${name}.`,
      offset,
    ),
  )
}

function adviseResult(facts: ScriptFacts): Advice[] {
  const [only, another] = facts.body
  if (only !== undefined && another === undefined && isUncalledFunction(only)) {
    const message =
      'The script only defines a function and never calls it. Write what the function does without “function … { }” around it.'
    return [advise('FUNCTION_UNCALLED', FIELD, message, offsetOf(only))]
  }
  if (facts.returned.length === 0 && !facts.body.some(({type}) => type === 'ThrowStatement')) {
    const message =
      'The script returns nothing, so the agent learns nothing. End it with “return” and a result.'
    return [advise('RETURN_MISSING', FIELD, message)]
  }
  return facts.returned.flatMap((node) => {
    const what = node === undefined ? undefined : unusable(node)
    if (node === undefined || what === undefined) return []
    const message = `The script returns ${what}, which cannot be sent to an agent. Return text, numbers, lists or plain objects instead.`
    return [advise('RESULT_NOT_JSON', FIELD, message, offsetOf(node))]
  })
}

function isUncalledFunction(statement: AnyNode): boolean {
  return (
    statement.type === 'FunctionDeclaration' ||
    (statement.type === 'ExpressionStatement' && isFunction(statement.expression))
  )
}

/**
 * The name of a returned expression that cannot be serialized as JSON; undefined if it may be serializable.
 */
function unusable(node: AnyNode): string | undefined {
  if (isFunction(node)) return 'a function'
  if (node.type === 'AwaitExpression') return unusable(node.argument)
  if (node.type === 'Identifier') {
    return ['document', 'window', 'globalThis', 'self'].includes(node.name) ? `“${node.name}”` : undefined
  }
  if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
    return ['Map', 'Set', 'WeakMap', 'WeakSet'].includes(node.callee.name)
      ? `a ${node.callee.name}`
      : undefined
  }
  if (node.type !== 'CallExpression') return undefined
  if (node.callee.type === 'Identifier' && node.callee.name === 'fetch') return 'a response of fetch'
  const method = methodOf(node)
  if (method === undefined) return undefined
  if (['querySelector', 'getElementById', 'closest', 'createElement'].includes(method)) return 'an element'
  if (['querySelectorAll', 'getElementsByClassName', 'getElementsByTagName'].includes(method))
    return 'a list of elements'
  return undefined
}

function methodOf(call: AnyNode & {type: 'CallExpression'}): string | undefined {
  const {callee} = call
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : undefined
}

function advisePromises({nodes}: ScriptFacts): Advice[] {
  return nodes.flatMap(({node}) => {
    if (node.type !== 'NewExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'Promise')
      return []
    const [executor] = node.arguments
    if (executor === undefined || !('params' in executor) || executor.params.length > 0) return []
    const message =
      'This promise never settles, so the call never ends. Use its “resolve”: new Promise((resolve) => …).'
    return [advise('PROMISE_NEVER_SETTLES', FIELD, message, offsetOf(node))]
  })
}

function adviseThrows({nodes}: ScriptFacts): Advice[] {
  return nodes.flatMap(({node}) => {
    if (node.type !== 'ThrowStatement' || !isText(node.argument)) return []
    const message =
      'Throw an Error, so that the browser’s console shows where it came from: throw new Error(…).'
    return [advise('THROW_WITHOUT_ERROR', FIELD, message, offsetOf(node))]
  })
}

function isText({type, ...node}: AnyNode): boolean {
  return (
    type === 'TemplateLiteral' || (type === 'Literal' && 'value' in node && typeof node.value === 'string')
  )
}

function adviseFetches({nodes}: ScriptFacts): Advice[] {
  return nodes.flatMap(({node}) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'fetch')
      return []
    const [, options] = node.arguments
    const mayHaveSignal =
      options !== undefined &&
      (options.type !== 'ObjectExpression' ||
        options.properties.some((part) => part.type === 'SpreadElement' || keyOf(part.key) === 'signal'))
    if (mayHaveSignal) return []
    const message =
      'Pass “signal” to fetch, so that the request ends when the agent cancels the call: fetch(…, {signal}).'
    return [advise('FETCH_WITHOUT_SIGNAL', FIELD, message, offsetOf(node))]
  })
}

function sendsData(node: AnyNode): boolean {
  if (node.type !== 'CallExpression') return false
  if (methodOf(node) === 'sendBeacon') return true
  const [, options] = node.arguments
  if (
    node.callee.type !== 'Identifier' ||
    node.callee.name !== 'fetch' ||
    options?.type !== 'ObjectExpression'
  )
    return false
  return options.properties.some(
    (part) =>
      part.type === 'Property' &&
      keyOf(part.key) === 'method' &&
      part.value.type === 'Literal' &&
      /^(?:post|put|patch|delete)$/i.test(String(part.value.value)),
  )
}

function keyOf(key: AnyNode): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : undefined
}
