import {wordsOf} from '../names/toolName.ts'
import * as vocabulary from './hintWords.ts'

/** One action of a tool: a verb, the words after it, and the words before it in a dotted name. */
type ToolAction = {readonly verb: string; readonly rest: string[]; readonly namespace: string[]}

/**
 * Classifies a tool by the whole words of its name: `searchProducts` is read-only, `placeOrder` is consequential, and
 * `addToCart` gets neither hint: in case of doubt, nothing.
 *
 * - The verb must come first in the name, or in its last part if it has dots: `searchOrders`,
 * `shop.orders.search`.
 * - A name with several actions (`checkAndBook`) is consequential if one is, and read-only if all are.
 * - A read-only name about text by users (`listReviews`, `reviews.list`) also implies untrusted content.
 */
export function inferHints(name: string) {
  const actions = actionsOf(name)
  const consequential = actions.some(isConsequential)
  const readOnly = !consequential && actions.every(isReading)
  return {readOnly, consequential, untrusted: readOnly && actions.some(isAboutWriting)}
}

function actionsOf(name: string): ToolAction[] {
  const parts = name.split('.').map((part) => wordsOf(part).map((word) => word.toLowerCase()))
  const namespace = parts.slice(0, -1).flat()
  const actions: string[][] = [[]]
  for (const word of parts.at(-1) ?? []) {
    if (vocabulary.CONJUNCTIONS.has(word)) actions.push([])
    else actions.at(-1)?.push(word)
  }
  return actions.map((words) => {
    const joined = words[0] === 'check' && words[1] === 'out' ? ['checkout', ...words.slice(2)] : words
    const [verb = '', ...rest] = joined
    return {verb, rest, namespace}
  })
}

function isConsequential({verb, rest, namespace}: ToolAction): boolean {
  const [object, after] = rest.filter((word) => !vocabulary.DETERMINERS.has(word))
  // `orders.cancel`: the object of a verb without one is the namespace.
  const objects = object === undefined ? namespace : [object]
  if (hasPair(vocabulary.NOT_CONSEQUENTIAL, verb, objects)) return false
  // In `bookAPage` the determiner makes "book" a verb; `bookPage` may be the page of a book.
  if (vocabulary.CONSEQUENTIAL_VERBS.has(verb))
    return !vocabulary.ALSO_NOUNS.has(verb) || !vocabulary.ABOUT.has(rest[0] ?? '')
  // `createOrderNote` creates a note.
  return hasPair(vocabulary.CONSEQUENTIAL_PAIRS, verb, objects) && !vocabulary.ABOUT.has(after ?? '')
}

function isReading({verb, rest}: ToolAction): boolean {
  const next = rest.slice(0, 1)
  if (vocabulary.PREDICATES.has(verb) || hasPair(vocabulary.READ_PAIRS, verb, next)) return true
  return vocabulary.READ_VERBS.has(verb) && !hasPair(vocabulary.NOT_READING, verb, next)
}

/** Whether an action is about what other people write. */
function isAboutWriting({verb, rest, namespace}: ToolAction): boolean {
  if (verb === 'count' || vocabulary.PREDICATES.has(verb)) return false
  return [...namespace, ...rest].some(
    (word, index, words) =>
      vocabulary.WRITTEN_BY_OTHERS.has(word) && !vocabulary.NOT_WRITING.has(words[index + 1] ?? ''),
  )
}

function hasPair(pairs: vocabulary.Pairs, verb: string, objects: string[]): boolean {
  return pairs.some((pair) => pair.verbs.has(verb) && objects.some((object) => pair.objects.has(object)))
}
