import {children, isNode, type Node, unwrap} from '../ast.ts'

/**
 * Rewrites a match with `text::query()`, by which Studio searches: `[@, _id] match text::query($terms)`.
 * groq-js 2.0.0 cannot evaluate it. Sanity searches all text of a document
 * (https://www.sanity.io/docs/specifications/groq-functions), and so does the rewritten match. Returns
 * undefined for any other match.
 */
export function searchOf(left: Node, right: Node): {readonly left: Node; readonly right: Node} | undefined {
  const pattern = textQuery(right)
  return pattern && {left: searchedText(left), right: pattern}
}

/** The terms of a `text::query(terms)`. */
function textQuery(node: Node): Node | undefined {
  const inner = unwrap(node)
  if (inner.type !== 'FuncCall' || inner.namespace !== 'text' || inner.name !== 'query') return undefined
  return children(inner, 'args')[0]
}

/** The searched value, with `@` replaced by all text of the document. */
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

/** All strings of the document in scope. */
const ALL_TEXT: Node = {type: 'AllText'}
