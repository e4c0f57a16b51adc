import {CONSUMERS} from '../agents/consumers.ts'
import {LONGEST_NAME_OF_MODELS} from '../agents/listings.ts'
import {type SecretKind, secretKindOf} from '../rules/names/secrets.ts'
import {type Advice, advise} from './advice.ts'

/** The longest name that fits into what models accept, with the prefix that agents put before it. */
export const LONGEST_NAME_FOR_AGENTS =
  LONGEST_NAME_OF_MODELS - Math.max(...CONSUMERS.map(({naming}) => naming?.prefix.length ?? 0))

/**
 * Advice on a name that agents change.
 * @param same another tool of the site that has the same name for an agent, and the title of that agent
 */
export function adviseNameForAgents(
  name: string,
  same?: {readonly name: string; readonly agent: string},
): Advice[] {
  const advice: Advice[] = []
  if (name.length > LONGEST_NAME_FOR_AGENTS) {
    const message = `The name has ${name.length} characters, and agents put more before it: many models then refuse it. Use at most ${LONGEST_NAME_FOR_AGENTS}.`
    advice.push(advise('NAME_TOO_LONG_FOR_AGENTS', 'name', message))
  }
  if (same !== undefined) {
    const message = `For ${same.agent}, this tool has the same name as “${same.name}”, and one of them gets a number. Choose a name that differs in its letters or digits.`
    advice.push(advise('NAME_SAME_FOR_AGENTS', 'name', message))
  }
  if (name.includes('.')) {
    const message = `Some agents call it “${name.replaceAll('.', '_')}”, because models do not accept dots. Write “_” or upper case letters instead of dots.`
    advice.push(advise('NAME_WITH_DOT', 'name', message))
  }
  return advice
}

/** What a parameter must not ask an agent for. A parameter called “key” may be anything. */
const SENSITIVE: Readonly<Record<SecretKind, string | undefined>> = {
  password: 'a password',
  code: 'a code that signs in',
  card: 'a card number',
  key: 'a key',
  unsure: undefined,
}

/** Advice on a parameter, or a field of a form, for what only the visitor should type. */
export function adviseSensitive(name: string, field: string, path?: Advice['path']): Advice[] {
  const kind = secretKindOf(name)
  const what = kind && SENSITIVE[kind]
  if (what === undefined) return []
  const message = `“${name}” asks the agent for ${what}, which the model and its provider then see. Let the visitor type it on the page instead.`
  return [advise('PARAMETER_SENSITIVE', field, message, path && {path})]
}
