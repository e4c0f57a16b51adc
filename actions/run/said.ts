import {MAX_DEPTH} from './bounds.ts'
import {type Path, valueInLists} from './json.ts'

/** @throws Error with what the agent reads */
export function stop(problem: string): never {
  throw new Error(problem)
}

/** Finds what a website says in JSON of an error, as a sentence with a space after it; empty: nothing that is known. */
export type SaidIn = (body: unknown, call: {readonly error?: Path}) => string

/** Of pages: they say in no known place what went wrong. */
export const saysNothing: SaidIn = () => ''

/** What a website says at the place that an editor knows. */
export const saidAt: SaidIn = (body, {error = []}) => {
  const said = valueInLists(body, error)
  return typeof said === 'string' ? saying(said) : ''
}

/** What a website says of a stranger’s length, in one line. */
function saying(said: string): string {
  const text = said
    .slice(0, 200)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  return text && `The website says: “${text}”${endOf(text)} `
}

/** What a text lacks to be a sentence. */
export function endOf(text: string): string {
  return /[\p{STerm}…]$/u.test(text) ? '' : '.'
}

/** What a website says where APIs do: JSON:API, FastAPI, RFC 9457, Laravel, Rails, Google, Shopify, OAuth, Zod. */
export const saidIn: SaidIn = (body) => saying(wordsIn(body))

/** Where APIs say something, in the order in which one is taken. The first are lists, or of fields. */
const PLACES =
  'errors fieldErrors issues constraints detail description message Message msg reason info error_description error title data'.split(
    ' ',
  )

/** The text of the first problem, after the field that it is about. */
function wordsIn(said: unknown, field = '', place = '', depth = 0): string {
  if (!said || depth > MAX_DEPTH) return ''
  if (typeof said === 'string') return field + said
  // An entry of a list is one problem, and so is a rule that a value breaks.
  if (Array.isArray(said) || place === 'constraints')
    return wordsIn(Object.values(said)[0], field, 's', depth + 1)
  const problem = Object(said)
  const about =
    place === 's' &&
    [
      problem.loc ||
        problem.path ||
        problem.field ||
        problem.property ||
        problem.pointer ||
        problem.source?.pointer,
    ]
      .flat()
      .join('.')
      .replace(/.*\//, '')
  const start = about ? `${about}: ` : field
  const isErrors = /rrors/.test(place)
  const isFields = isErrors || Object.values(problem).every(Array.isArray)
  return (
    // Each once: an error within an error is looked at twice otherwise, at every level.
    [...new Set([...PLACES, ...Object.keys(isFields ? problem : '')])]
      .map((name, at) =>
        wordsIn(
          problem[name],
          // Of fields, “title” may be one.
          !PLACES[at] || (isFields && typeof problem[name] === 'object' && (isErrors || at > 4))
            ? `${name}: `
            : start,
          name,
          depth + 1,
        ),
      )
      .find(Boolean) ?? ''
  )
}
