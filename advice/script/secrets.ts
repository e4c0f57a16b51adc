import type {AnyNode} from 'acorn'
import {secretKindOf} from '../../schemas/rules/names/secrets.ts'
import type {Advice} from '../advice.ts'
import {adviseNode, keyOf, memberOf, textOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

/** Key formats of well-known services, with their names. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/\bAKIA[0-9A-Z]{16}\b/, 'an AWS access key'],
  [/\bAIza[0-9A-Za-z_-]{35}\b/, 'a Google API key'],
  [/\bgh[pousr]_[0-9A-Za-z]{30,}\b|\bgithub_pat_[0-9A-Za-z_]{40,}\b/, 'a GitHub token'],
  [/\bglpat-[0-9A-Za-z_-]{20,}/, 'a GitLab token'],
  [/\bxox[abprs]-[0-9A-Za-z-]{10,}/, 'a Slack token'],
  [/\b[sr]k_(?:live|test)_[0-9A-Za-z]{16,}\b/, 'a Stripe key'],
  [/\bsk-(?:proj-|ant-)?[0-9A-Za-z_-]{20,}/, 'an API key of an AI service'],
  [/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/, 'a private key'],
  [/\beyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}/, 'a JSON Web Token'],
  [/\bBearer\s+[0-9A-Za-z._~+/-]{16,}/, 'a bearer token'],
  [/\bBasic\s+[0-9A-Za-z+/]{12,}={0,2}/, 'a password'],
  [/^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]+:[^/\s@]+@/i, 'a password in an address'],
]

/** Names and values in the query of an address. */
const IN_QUERY = /[?&]([^=&#\s]+)=([^&#\s]+)/g

/** Letters and digits without spaces: what is called a key needs to look no more like one. */
const RANDOM = /^(?=.*\d)(?=.*[A-Za-z])[\w.+/=-]{12,}$/

/** Advice on texts of a script that look like a key or a password: every visitor can read a script. */
export function adviseSecret(node: AnyNode, facts: ScriptFacts): Advice | undefined {
  const text = textOf(node)
  const what = text === undefined ? undefined : secretIn(text, nameGiven(facts.parentOf(node), node))
  if (what === undefined) return undefined
  const message = `This looks like ${what}. Every visitor can read a script: keep the key on your server, and let the script call an endpoint of your server.`
  return adviseNode('SECRET', node, message)
}

/**
 * The kind of secret that a text seems to be.
 * @param name what it is called, if anything
 */
export function secretIn(text: string, name: string | undefined): string | undefined {
  const known = FORMATS.find(([format]) => format.test(text))?.[1]
  if (known !== undefined) return known
  if (name !== undefined && isNamedSecret(name, text)) return 'a secret'
  const inQuery = [...text.matchAll(IN_QUERY)].some(([, key = '', value = '']) => isNamedSecret(key, value))
  return inQuery ? 'a key in an address' : undefined
}

function isNamedSecret(name: string, text: string): boolean {
  switch (secretKindOf(name)) {
    case 'password':
      return text.trim() !== ''
    case 'code':
    case 'card':
      return /\d{3}/.test(text)
    case 'key':
    case 'unsure':
      return RANDOM.test(text)
    default:
      return false
  }
}

/** The name to which a value is assigned: a variable, a member, or an assignment. */
function nameGiven(parent: AnyNode | undefined, value: AnyNode): string | undefined {
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name
  if (parent?.type === 'Property' && parent.value === value) return keyOf(parent.key)
  if (parent?.type !== 'AssignmentExpression' || parent.right !== value) return undefined
  return parent.left.type === 'Identifier' ? parent.left.name : memberOf(parent.left)
}
