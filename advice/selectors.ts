import {type AstSelector, createParser} from 'css-selector-parser'
import {type Advice, advise} from './advice.ts'

/** Advice on a selector that the rules accept but that probably matches no form. */
export function adviseSelector(selector: string): Advice[] {
  const tags = lastTags(selector)
  if (tags === undefined) return []
  if (tags.words !== undefined) {
    const message = `“${selector}” is plain text, not a selector. A selector describes the form in HTML, such as “#contact” or “form[name=contact]”.`
    return [advise('SELECTOR_WORDS', 'selector', message)]
  }
  if (tags.notForm !== undefined) {
    const message = `This selects a <${tags.notForm}>. Only a <form> can be a form tool: select the form itself, such as “form”.`
    return [advise('SELECTOR_NOT_A_FORM', 'selector', message)]
  }
  return []
}

/** Elements of HTML that people name in a selector. Custom elements have a hyphen. */
const ELEMENTS: ReadonlySet<string> = new Set(
  'a abbr address article aside audio b body button canvas caption code col dd details dialog div dl dt em fieldset figure footer form h1 h2 h3 h4 h5 h6 header hgroup html i iframe img input label legend li link main map menu meter nav object ol optgroup option output p picture pre progress search section select slot small span strong sub summary sup svg table tbody td template textarea tfoot th thead time tr u ul video'.split(
    ' ',
  ),
)

/** Reads what the rules accept, and more. */
export const parseLoosely = createParser({syntax: {baseSyntax: 'latest', pseudoClasses: {unknown: 'accept'}}})

function lastTags(text: string): {readonly words?: true; readonly notForm?: string} | undefined {
  let selector: AstSelector
  try {
    selector = parseLoosely(text)
  } catch {
    return undefined
  }
  const found: string[] = []
  for (const rule of selector.rules) {
    let names: string[] = []
    let isPlain = true
    let last: string | undefined
    for (let part: typeof rule | undefined = rule; part !== undefined; part = part.nestedRule) {
      const tag = part.items.find((item) => item.type === 'TagName')
      last = tag?.type === 'TagName' ? tag.name.toLowerCase() : undefined
      if (last !== undefined) names = [...names, last]
      if (part.items.length !== 1 || last === undefined) isPlain = false
    }
    const unknown = names.filter((name) => !ELEMENTS.has(name) && !name.includes('-'))
    if (unknown.length > 0 && (isPlain || unknown.length === names.length)) return {words: true}
    if (last !== undefined && last !== 'form') found.push(last)
  }
  const [notForm] = found
  return notForm !== undefined && found.length === selector.rules.length ? {notForm} : undefined
}
