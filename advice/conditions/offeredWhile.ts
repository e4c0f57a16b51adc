import {traverse} from 'css-selector-parser'
import {parseOfferedWhile} from '../../schemas/fields/offeredWhile.ts'
import {isStable} from '../../schemas/rules/names/stableName.ts'
import {timeInWords} from '../../schemas/rules/text.ts'
import {type Advice, advise} from '../advice.ts'
import {parseLoosely} from '../selectors.ts'

/**
 * Advice on conditions that the rules accept but that probably never hold.
 * @param now milliseconds since 1970
 */
export function adviseOfferedWhile(value: unknown, now = Date.now()): Advice[] {
  const parsed = parseOfferedWhile(value)
  if (!parsed.ok) return []
  const {has, hasNot, from, until} = parsed.value
  const both = has.find((selector) => hasNot.includes(selector))
  const unstable = [...has, ...hasNot].flatMap((selector) => generatedNames(selector))[0]
  const messages: Advice[] = []
  const add = (code: Parameters<typeof advise>[0], message: string) =>
    messages.push(advise(code, 'offeredWhile', message))
  if (both !== undefined)
    add('CONDITION_NEVER', `The page cannot have “${both}” and not have it: remove it from one of the lists.`)
  if (from !== undefined && until !== undefined && until <= from)
    add('CONDITION_NEVER', '“Until” is not after “From”, so the tool is never offered: change one of them.')
  else if (until !== undefined && until <= now)
    add(
      'CONDITION_OVER',
      `The tool is not offered any more since ${timeInWords(until)}: change “Until”, or delete the tool.`,
    )
  if (unstable !== undefined)
    add(
      'CONDITION_UNSTABLE',
      `“${unstable}” looks generated, and may change with the next version of the page: choose a name that a person wrote.`,
    )
  return messages
}

/** The ids and classes of a selector that a program seems to have made. */
function generatedNames(selector: string): string[] {
  const names: string[] = []
  traverse(parseLoosely(selector), (node) => {
    if ((node.type === 'Id' || node.type === 'ClassName') && !isStable(node.name)) names.push(node.name)
  })
  return names
}
