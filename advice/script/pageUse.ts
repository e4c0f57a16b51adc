import type {AnyNode, AssignmentExpression, CallExpression, NewExpression} from 'acorn'
import type {Advice} from '../advice.ts'
import {adviseNode, isIdentifier, memberOf, methodOf, objectOf, offsetOf, textOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

export function adviseDialog(node: CallExpression, facts: ScriptFacts): Advice | undefined {
  const name = ['alert', 'confirm', 'prompt'].find((dialog) => facts.isGlobalCall(node, dialog))
  if (name === undefined) return undefined
  const message = `“${name}” stops the page until a person closes the dialog, and the agent cannot see it. Use “return” to tell the agent something.`
  return adviseNode('DIALOG', node, message)
}

export function adviseWrite(node: CallExpression): Advice | undefined {
  if (!/^write(?:ln)?$/.test(methodOf(node) ?? '') || !isIdentifier(objectOf(node), 'document'))
    return undefined
  const message =
    'This replaces the whole page by the text. To change a part of it, use document.querySelector(…).textContent = ….'
  return adviseNode('PAGE_REPLACED', node, message)
}

/** An argument in `innerHTML` could contain a script: agents pass on what they read elsewhere. */
export function adviseMarkup(node: AssignmentExpression): Advice | undefined {
  const member = memberOf(node.left) ?? ''
  if (!['innerHTML', 'outerHTML'].includes(member) || !mentionsArguments(node.right)) return undefined
  const message = `What an agent wrote becomes part of the page’s HTML and could run as a script. Use “textContent” instead of “${member}”.`
  return adviseNode('HTML_FROM_ARGUMENTS', node, message)
}

function mentionsArguments(node: AnyNode): boolean {
  if (node.type === 'MemberExpression') return mentionsArguments(node.object)
  if (node.type === 'Identifier') return node.name === 'args'
  if (node.type === 'BinaryExpression') return [node.left, node.right].some(mentionsArguments)
  return node.type === 'TemplateLiteral' && node.expressions.some(mentionsArguments)
}

/** Advice on `eval(…)` and `new Function(…)`. */
export function adviseCode(node: CallExpression | NewExpression, facts: ScriptFacts): Advice | undefined {
  const isNewFunction = node.type === 'NewExpression' && isIdentifier(node.callee, 'Function')
  if (!isNewFunction && !facts.isGlobalCall(node, 'eval')) return undefined
  const message =
    'This runs a text as a script, which many pages forbid, and which lets an agent run anything. Write the steps themselves.'
  return adviseNode('CODE_FROM_TEXT', node, message)
}

export function adviseId(node: CallExpression): Advice | undefined {
  const [argument] = methodOf(node) === 'getElementById' ? node.arguments : []
  const id = textOf(argument)
  if (argument === undefined || id === undefined || !/^[#.]/.test(id)) return undefined
  const message = `getElementById takes the ID without “${id[0]}”: write '${id.slice(1)}', or use document.querySelector('${id}').`
  const edit = {start: offsetOf(argument) + 1, end: offsetOf(argument) + 2, text: ''}
  const fix = {title: `Use '${id.slice(1)}'`, edits: [edit]}
  return adviseNode('ID_WITH_SIGN', node, message, fix)
}

/** A page that starts to load takes the script with it, often before the agent has the result. */
export function adviseNavigation(
  node: AssignmentExpression | CallExpression,
  facts: ScriptFacts,
): Advice | undefined {
  // In a function, such as that of `setTimeout`, it probably happens later.
  if (!navigates(node, facts) || facts.functionAround(node) !== facts.outer) return undefined
  const message =
    'The page may be gone before the agent gets the result. Return first: setTimeout(() => location.assign(…), 100), and then “return”.'
  return adviseNode('NAVIGATION_BEFORE_RETURN', node, message)
}

function navigates(node: AssignmentExpression | CallExpression, facts: ScriptFacts): boolean {
  if (node.type === 'CallExpression')
    return /^(?:assign|replace|reload)$/.test(methodOf(node) ?? '') && isLocation(objectOf(node), facts)
  const {left} = node
  return isLocation(left, facts) || (memberOf(left) === 'href' && isLocation(objectOf(left), facts))
}

/** `location`, `window.location` or `document.location`. */
function isLocation(node: AnyNode | undefined, facts: ScriptFacts): boolean {
  if (node?.type !== 'MemberExpression')
    return node !== undefined && isIdentifier(node, 'location') && facts.isGlobal(node)
  const isOfWindow = isIdentifier(node.object, 'window', 'document', 'globalThis', 'self', 'top')
  return isOfWindow && memberOf(node) === 'location'
}
