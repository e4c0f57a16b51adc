import {type Advice, advise} from './advice.ts'

/** Advice on a selector that the rules accept but that probably matches no form. */
export function adviseSelector(selector: string): Advice[] {
  const tags = lastTags(selector)
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

function lastTags(selector: string): {readonly words?: true; readonly notForm?: string} {
  // What is between brackets says more of an element, and no other one.
  const alternatives = selector.replaceAll(/\[[^\]]*\]|\([^)]*\)/g, '[]').split(',')
  const found = alternatives.map((alternative) => {
    const parts = alternative.trim().split(/[\s>+~]+/)
    const tags = parts.map((part) => /^[a-z][\w-]*/i.exec(part)?.[0].toLowerCase() ?? '')
    const named = tags.filter((tag) => tag !== '')
    const unknown = named.filter((tag) => !ELEMENTS.has(tag) && !tag.includes('-'))
    const isPlain = parts.every((part) => /^[a-z][\w-]*$/i.test(part))
    return {isWords: unknown.length > 0 && (isPlain || unknown.length === named.length), last: tags.at(-1)}
  })
  if (found.some(({isWords}) => isWords)) return {words: true}
  const [{last = ''} = {}] = found
  return last !== '' && found.every(({last}) => last && last !== 'form') ? {notForm: last} : {}
}
