import {scalarText} from '../schemas/rules/text.ts'
import type {Exchange} from './values.ts'

/** The request whose answer had a value, and the name that it has there. */
export type Source = {readonly exchange: Exchange; readonly member: string}

/** Values of an answer that are looked through. */
const MOST_VALUES = 20_000

/** What an answer has: a page with many requests asks for it many times. */
type Contents = {readonly text: string; readonly names: ReadonlyMap<string, string>}

const known = new WeakMap<object, Contents>()

function contentsOf(answer: unknown): Contents {
  if (typeof answer !== 'object' || answer === null)
    return {text: JSON.stringify(answer) ?? '', names: new Map()}
  const before = known.get(answer)
  if (before !== undefined) return before
  const contents = {text: JSON.stringify(answer), names: namesIn(answer)}
  known.set(answer, contents)
  return contents
}

/** The values of an answer, each with the name of its first place. */
function namesIn(answer: object): Map<string, string> {
  const names = new Map<string, string>()
  const left: [name: string, value: unknown][] = [['', answer]]
  for (const [name, value] of left) {
    if (typeof value === 'object' && value !== null && left.length < MOST_VALUES)
      for (const [key, inner] of Object.entries(value)) left.push([Array.isArray(value) ? name : key, inner])
    else {
      const text = scalarText(value)
      if (name !== '' && text !== '' && !names.has(text)) names.set(text, name)
    }
  }
  return names
}

/** Whether the page got a value from a server. */
export function isInAnswers(value: unknown, exchanges: readonly Exchange[]): boolean {
  const text = scalarText(value)
  return text !== '' && exchanges.some(({answer}) => contentsOf(answer).text.includes(text))
}

/** The first answer that has the value as a whole. */
export function sourceOf(value: unknown, exchanges: readonly Exchange[]): Source | undefined {
  for (const exchange of exchanges) {
    const member = contentsOf(exchange.answer).names.get(scalarText(value))
    if (member !== undefined) return {exchange, member}
  }
  return undefined
}
