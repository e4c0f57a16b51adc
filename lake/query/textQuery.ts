import {children, isNode, type Node, unwrap} from './ast.ts'

/**
 * groq-js 2.0.0 cannot evaluate `text::query()`, with which Studio searches: `[@, _id] match text::query($terms)`.
 * Sanity looks through all text of a document (https://www.sanity.io/docs/specifications/groq-functions): the
 * match is rewritten so that this does too. Answers undefined for any other match.
 */
export function searchOf(left: Node, right: Node): {left: Node; right: Node} | undefined {
  const pattern = textQuery(right)
  return pattern && {left: searchedText(left), right: pattern}
}

/** The terms of a `text::query(terms)`. */
function textQuery(node: Node): Node | undefined {
  const inner = unwrap(node)
  if (inner.type !== 'FuncCall' || inner.namespace !== 'text' || inner.name !== 'query') return undefined
  return children(inner, 'args')[0]
}

/** What is searched, with all text of the document in the place of `@`. */
function searchedText(node: Node): Node {
  const inner = unwrap(node)
  if (inner.type === 'This') return ALL_TEXT
  if (inner.type !== 'Array') return node
  const elements = children(inner, 'elements').map((element) => {
    const item = element.value
    return isNode(item) && unwrap(item).type === 'This'
      ? {...element, value: ALL_TEXT, isSplat: true}
      : element
  })
  return {...inner, elements}
}

/** Every string of the document in scope. */
const ALL_TEXT: Node = {type: 'AllText'}
