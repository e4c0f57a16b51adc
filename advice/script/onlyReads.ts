import type {AnyNode} from 'acorn'
import {keyOf, methodOf, type NodeOf, objectOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

/** Functions of browsers that change nothing. */
const FUNCTIONS = setOf(
  'fetch encodeURIComponent decodeURIComponent parseInt parseFloat isNaN structuredClone String',
  'Number Boolean Array Object getComputedStyle',
)

const CLASSES = setOf('URL URLSearchParams Error TypeError RangeError Date Map Set RegExp DOMParser')

/** Methods that change nothing, whatever they are called on. */
const METHODS = setOf(
  'json text blob arrayBuffer parse stringify parseFromString then catch map filter find findLast',
  'some every reduce flatMap flat slice concat join includes indexOf at toSorted toReversed keys',
  'values entries get has getAll trim toLowerCase toUpperCase toLocaleString toFixed toString',
  'toISOString split replace replaceAll match matchAll startsWith endsWith padStart substring',
  'localeCompare normalize test exec fromEntries from of isArray all allSettled max min round floor',
  'ceil abs querySelector querySelectorAll getElementById closest matches getAttribute hasAttribute',
  'getItem getElementsByClassName',
)

/** Methods that change what they are called on: harmless if the script made it. */
const OWN_METHODS = setOf('push sort reverse set add append unshift')

function setOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/**
 * Whether a script reads something and, as far as can be seen, changes nothing: neither data nor the page. A call of an
 * unknown function counts as a change.
 */
export function onlyReads(facts: ScriptFacts): boolean {
  const {nodes} = facts
  return nodes.some((node) => reads(node, facts)) && nodes.every((node) => isHarmless(node, facts))
}

function reads(node: AnyNode, facts: ScriptFacts): boolean {
  return (
    facts.isGlobalCall(node, 'fetch') || /^(?:querySelector|getElement|getItem)/.test(methodOf(node) ?? '')
  )
}

function isHarmless(node: AnyNode, facts: ScriptFacts): boolean {
  switch (node.type) {
    case 'CallExpression':
      return isHarmlessCall(node, facts)
    case 'NewExpression':
      return node.callee.type === 'Identifier' && CLASSES.has(node.callee.name)
    case 'AssignmentExpression':
      return node.left.type === 'Identifier' && !facts.isGlobal(node.left)
    case 'UpdateExpression':
      return node.argument.type === 'Identifier'
    case 'UnaryExpression':
      return node.operator !== 'delete'
    case 'ImportExpression':
    case 'TaggedTemplateExpression':
      return false
    default:
      return true
  }
}

function isHarmlessCall(node: NodeOf<'CallExpression'>, facts: ScriptFacts): boolean {
  const {callee} = node
  if (facts.isGlobalCall(node, 'fetch')) return isGet(node.arguments[1])
  // What the script declares itself is looked at, too.
  if (callee.type === 'Identifier') return !facts.isGlobal(callee) || FUNCTIONS.has(callee.name)
  const method = methodOf(node)
  const object = objectOf(node)
  if (method === undefined || object === undefined) return false
  const isOwn = facts.initialValue(object) !== undefined
  return METHODS.has(method) || (isOwn && OWN_METHODS.has(method))
}

/** Whether the options of a request leave its method at GET. */
function isGet(options: AnyNode | undefined): boolean {
  if (options === undefined) return true
  if (options.type !== 'ObjectExpression') return false
  return options.properties.every((part) => {
    if (part.type !== 'Property') return false
    if (keyOf(part.key) !== 'method') return keyOf(part.key) !== 'body'
    return part.value.type === 'Literal' && /^(?:get|head)$/i.test(String(part.value.value))
  })
}
