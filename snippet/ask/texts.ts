/** The language of the texts, the question, with `*` for the tool, and what the buttons say. */
type Texts = readonly [lang: string, question: string, no: string, yes: string]

const ENGLISH: Texts = ['en', 'An AI agent wants to use “*”.', 'Don’t allow', 'Allow']

const OTHERS: readonly Texts[] = [
  ['de', 'Ein KI-Agent möchte „*“ ausführen.', 'Nicht erlauben', 'Erlauben'],
  ['es', 'Un agente de IA quiere usar «*».', 'No permitir', 'Permitir'],
  ['fr', 'Un agent d’IA veut utiliser « * ».', 'Refuser', 'Autoriser'],
  ['it', 'Un agente IA vuole usare «*».', 'Non consentire', 'Consenti'],
  ['nl', 'Een AI-agent wil ‘*’ gebruiken.', 'Niet toestaan', 'Toestaan'],
  ['pt', 'Um agente de IA quer usar “*”.', 'Não permitir', 'Permitir'],
]

/** The texts in a page's language, as in `lang`, or in English. */
export function textsIn(language: string): Texts {
  return OTHERS.find(([lang]) => lang === language.slice(0, 2).toLowerCase()) ?? ENGLISH
}

/**
 * The arguments of a call as a visitor reads them, by the titles of the parameters: all that the script gets, also what
 * the schema does not name.
 */
export function rowsOf(args: object, inputSchema: unknown): [title: string, value: string][] {
  const properties = Object(Object(inputSchema).properties)
  return Object.entries(args).map(([name, value]) => [
    `${Object(properties[name]).title || name}`,
    typeof value === 'string' && value.trim() ? value : JSON.stringify(value, null, 1),
  ])
}
