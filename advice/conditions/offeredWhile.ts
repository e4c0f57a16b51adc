import {parseOfferedWhile} from '../../schemas/fields/offeredWhile.ts'
import {timeInWords} from '../../schemas/rules/text.ts'
import {type Advice, advise} from '../advice.ts'

/**
 * Advice on conditions that the rules accept but that probably never hold.
 * @param now milliseconds since 1970
 */
export function adviseOfferedWhile(value: unknown, now = Date.now()): Advice[] {
  const parsed = parseOfferedWhile(value)
  if (!parsed.ok) return []
  const {has, hasNot, from, until} = parsed.value
  const both = has.find((selector) => hasNot.includes(selector))
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
  return messages
}
