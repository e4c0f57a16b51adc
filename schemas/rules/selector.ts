import {type AstEntity, type AstSelector, createParser, traverse} from 'css-selector-parser'
import {accept, type Parsed, refuse} from './parsed.ts'
import {parseVisibleText} from './text.ts'

/**
 * A CSS selector that `querySelector` accepts, for finding a form on a page. Also refuses what browsers
 * accept but what can never match a form: pseudo-elements, namespaces, the nesting selector, an unclosed
 * bracket.
 */
export function parseSelector(value: unknown): Parsed<string> {
  const text = parseVisibleText(value, 'The selector', 1000)
  if (!text.ok) return text
  try {
    const problem = findUnsupported(parse(text.value))
    return problem === undefined ? accept(text.value) : refuse(problem)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    const [, words, offset] = /: (.*)\. Pos: (\d+)\.$/s.exec(reason) ?? []
    if (words === undefined) return refuse('Browsers cannot read this selector: make it simpler.')
    const lower = words.charAt(0).toLowerCase() + words.slice(1)
    return refuse(
      `Browsers cannot read this selector: ${lower}, at character ${Number(offset) + 1}.${quotesFor(text.value)}`,
    )
  }
}

/** People leave out the quotation marks around the value of an attribute, such as a path. */
function quotesFor(selector: string): string {
  const [part, start, value] = /(\[[\w-]+[~|^$*]?=)([^\]"'\s]+)\]/.exec(selector) ?? []
  return part === undefined ? '' : ` Put the value between quotation marks: ${start}"${value}"].`
}

const parse = createParser({
  strict: true,
  syntax: {
    baseSyntax: 'latest',
    namespace: false,
    nestingSelector: false,
    pseudoElements: false,
    pseudoClasses: {unknown: 'reject', definitions: {NoArgument: ['open', '-webkit-autofill']}},
  },
})

/** What the parser's "latest" CSS supports but browsers do not. */
function findUnsupported(selector: AstSelector): string | undefined {
  let problem: string | undefined
  traverse(selector, (node, {parents}) => {
    const name = nameUnsupported(node, parents)
    if (name !== undefined)
      problem ??= `The selector uses ${name}, which browsers do not support: leave it out.`
  })
  return problem
}

function nameUnsupported(node: AstEntity, parents: AstEntity[]): string | undefined {
  if (node.type === 'Rule' && node.combinator === '||') return '"||"'
  if (node.type === 'Attribute' && node.caseSensitivityModifier?.toLowerCase() === 's')
    return 'the modifier "s"'
  if (node.type !== 'PseudoClass') return undefined
  if (node.name === 'blank') return '":blank"'
  if (node.name === 'has' && parents.some(isHas)) return '":has" within ":has"'
  return undefined
}

function isHas(node: AstEntity): boolean {
  return node.type === 'PseudoClass' && node.name === 'has'
}
