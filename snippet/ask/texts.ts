import {membersOf} from '../members.ts'
import {UNKNOWN_MOST} from './limits.ts'

/**
 * The language of the texts, the question, with `*` for the tool, what the buttons say, and the heading of arguments that
 * the schema does not name.
 */
type Texts = readonly [lang: string, question: string, no: string, yes: string, unknown: string, all: string]

const ENGLISH: Texts = [
  'en',
  'An AI agent wants to use “*”.',
  'Don’t allow',
  'Allow',
  'Also sent, not known to this tool',
  'Show all',
]

const OTHERS: readonly Texts[] = [
  [
    'de',
    'Ein KI-Agent möchte „*“ ausführen.',
    'Nicht erlauben',
    'Erlauben',
    'Auch gesendet, dem Werkzeug unbekannt',
    'Alles anzeigen',
  ],
  [
    'es',
    'Un agente de IA quiere usar «*».',
    'No permitir',
    'Permitir',
    'También enviado, desconocido para la herramienta',
    'Mostrar todo',
  ],
  [
    'fr',
    'Un agent d’IA veut utiliser « * ».',
    'Refuser',
    'Autoriser',
    'Envoyé aussi, inconnu de cet outil',
    'Tout afficher',
  ],
  [
    'it',
    'Un agente IA vuole usare «*».',
    'Non consentire',
    'Consenti',
    'Inviato anche, sconosciuto allo strumento',
    'Mostra tutto',
  ],
  [
    'nl',
    'Een AI-agent wil ‘*’ gebruiken.',
    'Niet toestaan',
    'Toestaan',
    'Ook verzonden, onbekend voor deze tool',
    'Alles tonen',
  ],
  [
    'pt',
    'Um agente de IA quer usar “*”.',
    'Não permitir',
    'Permitir',
    'Também enviado, desconhecido para a ferramenta',
    'Mostrar tudo',
  ],
]

/** The texts in a page's language, as in `lang`, or in English. */
export function textsIn(language: string): Texts {
  return OTHERS.find(([lang]) => lang === language.slice(0, 2).toLowerCase()) ?? ENGLISH
}

/** An argument as a visitor reads it. */
export type Row = readonly [title: string, value: string]

/**
 * The arguments of a call as a visitor reads them: all that the script gets. An agent decides on neither the order nor the
 * titles of what the schema names, and what it sends besides cannot pass for one of these.
 * @returns `known`: in the order of the schema, by the titles of the parameters; `unknown`: by the names that were sent.
 * @throws Error what the agent is told if it sends more than a person can read.
 */
export function rowsOf(args: unknown, inputSchema: unknown): {known: Row[]; unknown: Row[]} {
  const given = membersOf(args)
  const properties = membersOf(membersOf(inputSchema).properties)
  const known = Object.keys(properties)
    .filter((name) => Object.hasOwn(given, name))
    .map((name): Row => [`${membersOf(properties[name]).title || name}`, readable(given[name])])
  const unknown = Object.entries(given)
    .filter(([name]) => !Object.hasOwn(properties, name))
    .map(([name, value]): Row => [cutShort(show(name)), readable(value)])
  if (unknown.length > UNKNOWN_MOST) throw new Error('Leave out what this tool does not know.')
  return {known, unknown}
}

/** The beginning of a text: four lines of 80 characters. */
export function cutShort(text: string): string {
  return /^(?:[^\n]{0,80}\n?){4}/u.exec(text)?.[0] ?? ''
}

function readable(value: unknown): string {
  return show(typeof value === 'string' && value.trim() ? value : JSON.stringify(value, null, 1))
}

/**
 * What a reader does not see, or what changes the order of what they see. Joiners and variation selectors are left in
 * emoji and in the scripts that need them. `schemas/rules/text.ts` is more exact, and has four times the bytes.
 */
const HIDDEN =
  /(?!\n|(?<=[\u0600-\u18af\p{ExtPict}\p{EMod}]\ufe0f?)(?:\u200c|\u200d|\ufe0f))[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu

/** A text with escapes for hidden characters. */
function show(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
