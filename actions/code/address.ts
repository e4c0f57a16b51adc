import type {LinkAction} from '../../schemas/actions/action.ts'
import {isList, isRequired} from '../../schemas/actions/parameters.ts'
import type {Address, QueryPart} from '../../schemas/actions/parts/address.ts'
import {parametersIn, type Template} from '../../schemas/actions/parts/template.ts'
import type {ObjectSchema} from '../../schemas/rules/inputSchema.ts'
import {argumentCode, templateCode, textCode} from './text.ts'

/** Empty, or a dot, it would make another address of the one that the editor wrote (https://url.spec.whatwg.org/#path-state). */
const PART = `// A part of an address.
const part = (value, name) => {
  const text = String(value).toWellFormed()
  if (/^\\.{0,2}$/.test(text)) {
    throw new Error(\`“\${text}” for “\${name}” cannot be a part of an address. Pass another value.\`)
  }
  return encodeURIComponent(text)
}`

/**
 * Statements that declare `address`, a URL.
 * @param rows more of its query
 */
export function addressCode(address: Address, rows: readonly QueryPart[], schema: ObjectSchema): string[] {
  const {origin, path, fragment} = address
  const parts = [...address.query, ...rows]
  const fixed = parts.filter(isFixed).map(({name, value}): [string, string] => [name, value.join('')])
  const query = fixed.length === 0 ? [] : [`?${new URLSearchParams(fixed)}`]
  const hash = fragment.length === 0 ? [] : ['#', ...fragment]
  const whole: Template = [...(origin === undefined ? [] : [origin]), ...path, ...query, ...hash]
  const text = templateCode(whole, (parameter) => `part(${argumentCode(parameter)}, ${textCode(parameter)})`)
  // In a frame without an address, such as one with srcdoc, location.origin is "null".
  const base = origin === undefined ? ', self.origin' : ''
  return [
    ...(parametersIn(whole).length === 0 ? [] : [PART]),
    `const address = new URL(${text}${base})`,
    ...parts.filter((part) => !isFixed(part)).map((part) => queryCode('address.searchParams', part, schema)),
  ]
}

function isFixed({value}: QueryPart): boolean {
  return parametersIn(value).length === 0
}

/**
 * A statement that adds the value of a parameter to a query or a form. What the agent leaves out is not sent.
 * @param target the code of URLSearchParams
 */
export function queryCode(target: string, {name, value}: QueryPart, schema: ObjectSchema): string {
  const [only, another] = value
  if (another === undefined && typeof only === 'object' && isList(schema, only.parameter)) {
    const list = argumentCode(only.parameter) + (isRequired(schema, only.parameter) ? '' : ' ?? []')
    return `for (const value of ${list}) ${target}.append(${textCode(name)}, value)`
  }
  const code =
    another === undefined && typeof only === 'object'
      ? argumentCode(only.parameter)
      : templateCode(value, argumentCode)
  const optional = parametersIn(value).filter((parameter) => !isRequired(schema, parameter))
  const isThere = [...new Set(optional)].map((parameter) => `${argumentCode(parameter)} !== undefined`)
  const condition = isThere.length === 0 ? '' : `if (${isThere.join(' && ')}) `
  return `${condition}${target}.append(${textCode(name)}, ${code})`
}

/** The script of a page to open. */
export function compileLink({address}: LinkAction, schema: ObjectSchema): string {
  const statements = [
    ...addressCode(address, [], schema),
    '// The tool returns before the page is left. Otherwise the agent would get no result.',
    'setTimeout(() => location.assign(address), 100)',
    'return {opening: address.href}',
  ]
  return `${statements.join('\n')}\n`
}
