import type {AnyNode, AssignmentExpression, CallExpression} from 'acorn'
import {type Advice, advise} from '../advice.ts'
import type {NodeRule} from './nodeRules.ts'
import {isGlobalCall, memberOf, methodOf, offsetOf, type ScriptFacts, textOf} from './tree/program.ts'
import {type Found, functionAround} from './tree/walk.ts'

const FIELD = 'executeJs'

/** Advice on what a script does to the page. */
export const PAGE_RULE: NodeRule = {
  types: ['CallExpression', 'AssignmentExpression', 'NewExpression'],
  advise: (found, facts) => {
    const {node} = found
    switch (node.type) {
      case 'CallExpression':
        return adviseCall(node, facts) ?? adviseNavigation(found, facts)
      case 'AssignmentExpression':
        return adviseMarkup(node) ?? adviseNavigation(found, facts)
      case 'NewExpression':
        return isIdentifier(node.callee, 'Function') ? adviseCode(node) : undefined
      default:
        return undefined
    }
  },
}

function adviseCall(node: CallExpression, facts: ScriptFacts): Advice | undefined {
  const dialog = DIALOGS.find((name) => isGlobalCall(node, name, facts))
  if (dialog !== undefined) return adviseDialog(node, dialog)
  if (isGlobalCall(node, 'eval', facts)) return adviseCode(node)
  const method = methodOf(node)
  if (method === 'getElementById') return adviseId(node)
  const isWrite = method === 'write' || method === 'writeln'
  return isWrite && node.callee.type === 'MemberExpression' && isIdentifier(node.callee.object, 'document')
    ? adviseWrite(node)
    : undefined
}

const DIALOGS = ['alert', 'confirm', 'prompt']

function isIdentifier(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}

function adviseDialog(node: AnyNode, name: string): Advice {
  const message = `“${name}” stops the page until a person closes the dialog, and the agent cannot see it. Use “return” to tell the agent something.`
  return advise('DIALOG', FIELD, message, {offset: offsetOf(node)})
}

function adviseWrite(node: AnyNode): Advice {
  const message =
    'This replaces the whole page by the text. To change a part of it, use document.querySelector(…).textContent = ….'
  return advise('PAGE_REPLACED', FIELD, message, {offset: offsetOf(node)})
}

/** An argument in `innerHTML` could contain a script: agents pass on what they read elsewhere. */
function adviseMarkup(node: AssignmentExpression): Advice | undefined {
  const member = memberOf(node.left) ?? ''
  if (!['innerHTML', 'outerHTML'].includes(member) || !mentionsArguments(node.right)) return undefined
  const message = `What an agent wrote becomes part of the page’s HTML and could run as a script. Use “textContent” instead of “${member}”.`
  return advise('HTML_FROM_ARGUMENTS', FIELD, message, {offset: offsetOf(node)})
}

function mentionsArguments(node: AnyNode): boolean {
  if (node.type === 'MemberExpression') return mentionsArguments(node.object)
  if (node.type === 'Identifier') return node.name === 'args'
  if (node.type === 'BinaryExpression') return [node.left, node.right].some(mentionsArguments)
  return node.type === 'TemplateLiteral' && node.expressions.some(mentionsArguments)
}

function adviseCode(node: AnyNode): Advice {
  const message =
    'This runs a text as a script, which many pages forbid, and which lets an agent run anything. Write the steps themselves.'
  return advise('CODE_FROM_TEXT', FIELD, message, {offset: offsetOf(node)})
}

function adviseId(node: CallExpression): Advice | undefined {
  const [argument] = node.arguments
  const id = argument === undefined ? undefined : textOf(argument)
  if (argument === undefined || id === undefined || !/^[#.]/.test(id)) return undefined
  const message = `getElementById takes the ID without “${id[0]}”: write '${id.slice(1)}', or use document.querySelector('${id}').`
  const edit = {start: offsetOf(argument) + 1, end: offsetOf(argument) + 2, text: ''}
  const fix = {title: `Use '${id.slice(1)}'`, edits: [edit]}
  return advise('ID_WITH_SIGN', FIELD, message, {offset: offsetOf(node), fix})
}

/** A page that starts to load takes the script with it, often before the agent has the result. */
function adviseNavigation(found: Found, facts: ScriptFacts): Advice | undefined {
  const {node} = found
  // In a function, such as that of `setTimeout`, it probably happens later.
  if (!navigates(node, facts) || functionAround(found) !== facts.outer) return undefined
  const message =
    'The page may be gone before the agent gets the result. Return first: setTimeout(() => location.assign(…), 100), and then “return”.'
  return advise('NAVIGATION_BEFORE_RETURN', FIELD, message, {offset: offsetOf(node)})
}

function navigates(node: AnyNode, facts: ScriptFacts): boolean {
  if (node.type === 'AssignmentExpression') {
    const {left} = node
    return (
      isLocation(left, facts) ||
      (left.type === 'MemberExpression' && memberOf(left) === 'href' && isLocation(left.object, facts))
    )
  }
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    ['assign', 'replace', 'reload'].includes(memberOf(node.callee) ?? '') &&
    isLocation(node.callee.object, facts)
  )
}

/** `location`, `window.location` or `document.location`. */
function isLocation(node: AnyNode, facts: ScriptFacts): boolean {
  if (node.type === 'Identifier') return node.name === 'location' && facts.isGlobal(node)
  return (
    memberOf(node) === 'location' &&
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    ['window', 'document', 'globalThis', 'self', 'top'].includes(node.object.name)
  )
}
