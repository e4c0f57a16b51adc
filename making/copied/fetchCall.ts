import {type Expression, parse} from 'acorn'
import {isRecord} from '../../schemas/record.ts'
import {webAddress} from '../../schemas/rules/origin.ts'
import {type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {type CopiedRequest, copiedRequest} from './copiedRequest.ts'

/** Whether a text is a call of `fetch`, as browsers copy it and documents show it. */
export const FETCH_CALL = /^\s*(?:(?:const|let|var)\s[^=]*=\s*)?(?:await\s+)?(?:window\.)?fetch\s*\(/

/** Reads a call such as `fetch("https://…", {"method": "POST", …})`. Its code is not run. */
export function parseFetchCall(text: string): Parsed<CopiedRequest> {
  const call = callIn(text)
  if (call === undefined) return refuse('This call of fetch cannot be read: copy all of it, and only one.')
  const [address, options] = call.map(literalOf)
  const {method, headers, body} = isRecord(options) ? options : {}
  if (typeof address !== 'string' || options === UNKNOWN || [method, headers, body].includes(UNKNOWN))
    return refuse(
      'The call of fetch has values that only its page knows: copy the request in your browser, which writes them out.',
    )
  const pairs = Array.isArray(headers) ? headers : Object.entries(isRecord(headers) ? headers : {})
  return copiedRequest({
    method: typeof method === 'string' ? method : 'GET',
    address: webAddress(address),
    headers: pairs.map((pair: unknown) => {
      const [name, value] = Array.isArray(pair) ? pair : []
      return [textOf(name), textOf(value)] as const
    }),
    body: typeof body === 'string' && body !== '' ? body : undefined,
    usualType: undefined,
  })
}

/** The arguments of the first call of `fetch`. */
function callIn(text: string): readonly Expression[] | undefined {
  try {
    const program = parse(text, {ecmaVersion: 'latest', sourceType: 'module'})
    for (const statement of program.body) {
      const [declared] = statement.type === 'VariableDeclaration' ? statement.declarations : []
      const found = callOf(statement.type === 'ExpressionStatement' ? statement.expression : declared?.init)
      if (found !== undefined) return found
    }
  } catch {
    // The caller says so.
  }
  return undefined
}

/** Also of `await fetch(…)` and `fetch(…).then(…)`. */
function callOf(expression: Expression | null | undefined): readonly Expression[] | undefined {
  if (expression?.type === 'AwaitExpression') return callOf(expression.argument)
  if (expression?.type !== 'CallExpression') return undefined
  const {callee} = expression
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
        ? callee.property.name
        : ''
  if (name === 'fetch')
    return expression.arguments.flatMap((one) => (one.type === 'SpreadElement' ? [] : [one]))
  return callee.type === 'MemberExpression' && callee.object.type !== 'Super'
    ? callOf(callee.object)
    : undefined
}

/** Stands for what only the page knows. */
const UNKNOWN = Symbol('unknown')

/** What an expression of literals is worth. */
function literalOf(node: Expression): unknown {
  switch (node.type) {
    case 'Literal':
      return node.value
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : UNKNOWN
    case 'UnaryExpression': {
      const value = literalOf(node.argument)
      return node.operator === '-' && typeof value === 'number' ? -value : UNKNOWN
    }
    case 'ArrayExpression': {
      const entries = node.elements.map((one) =>
        one === null || one.type === 'SpreadElement' ? UNKNOWN : literalOf(one),
      )
      return entries.includes(UNKNOWN) ? UNKNOWN : entries
    }
    case 'ObjectExpression': {
      const members = new Map<string, unknown>()
      for (const property of node.properties) {
        if (property.type === 'SpreadElement' || property.computed) return UNKNOWN
        const {key, value} = property
        const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
        members.set(name, literalOf(value))
      }
      return Object.fromEntries(members)
    }
    case 'CallExpression': {
      // `JSON.stringify({…})`
      const [first] = node.arguments
      const {callee} = node
      const isJson =
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'stringify'
      const value =
        isJson && first !== undefined && first.type !== 'SpreadElement' ? literalOf(first) : UNKNOWN
      return isWhole(value) ? JSON.stringify(value) : UNKNOWN
    }
    default:
      return UNKNOWN
  }
}

function isWhole(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).every(isWhole)
  return value !== UNKNOWN && (!Array.isArray(value) || value.every(isWhole))
}
