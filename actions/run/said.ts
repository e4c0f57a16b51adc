import {type Path, valueInLists} from './json.ts'

/** Finds what a website says in JSON of an error, as a sentence with a space after it; empty: nothing that is known. */
export type SaidIn = (body: unknown, place?: Path) => string

/** What a website says at the place that an editor knows. */
export const saidAt: SaidIn = (body, place = []) => saying(valueInLists(body, place))

/** Characters of an error’s text. */
const MAX_ERROR = 200

function saying(said: unknown, field: unknown = ''): string {
  if (!said || typeof said !== 'string') return ''
  const text = ((field ? `${field}: ` : '') + said)
    .slice(0, MAX_ERROR)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  return text && `The website says: “${asSentence(text, '”')} `
}

/** @param end what stands around it ends with */
export function asSentence(text: string, end = ''): string {
  return text + end + (/[.!?…]$/.test(text) ? '' : '.')
}

/** What a website says where APIs do: JSON:API, FastAPI, RFC 9457, Laravel, Rails, Google, Shopify, OAuth, Zod. */
export const saidIn: SaidIn = (body) => {
  const {errors, error: own, issues, detail, message, description, error_description, title} = Object(body)
  const inner = Object(own)
  const lists = [detail, message].filter(Array.isArray)
  const isOfLists = Object.values(body ?? {}).every(Array.isArray)
  // The first problem of a list, or of an object with lists, and the field that it is about.
  const problems = Object(
    [errors, inner.issues, issues, inner.errors, ...lists, isOfLists && body].find(
      (one) => one && typeof one === 'object',
    ),
  )
  const [[key, error] = []] = Object.entries(problems).flatMap(([name, one]) =>
    [one].flat().map((each): [string, unknown] => [name, each]),
  )
  const first = Object(error)
  const isPlaced = first.msg || problems === inner.issues || problems === issues
  const texts = [first.detail, first.msg, first.message, first.title, error, errors, inner.message]
  return saying(
    [...texts, detail, description, message, error_description, own, title].find(
      (text) => text && typeof text === 'string',
    ),
    isPlaced ? [first.loc ?? first.path ?? []].flat().join('.') : Array.isArray(problems[key ?? '']) && key,
  )
}
