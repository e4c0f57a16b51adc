import type {Budget} from '../../budget.ts'
import {scalarText} from '../../scalars.ts'
import {isRecord} from '../values.ts'

/** Estimated bytes of a piece of a text. */
const PIECE_BYTES = 32

/** A text in lower or upper case. */
export function letters(value: unknown, change: (text: string) => string, budget: Budget): unknown {
  if (typeof value !== 'string') return null
  // Some characters become several, such as ß.
  budget.takeText(value.length)
  const changed = change(value)
  budget.takeText(changed.length - value.length)
  return changed
}

/** GROQ's `string::split()`. */
export function split(text: unknown, separator: unknown, budget: Budget): unknown {
  if (typeof text !== 'string' || typeof separator !== 'string') return null
  if (text === '') return []
  const {mark} = budget
  budget.takeText(text.length)
  budget.take(PIECE_BYTES * (text.length / Math.max(1, separator.length)))
  const pieces = separator === '' ? Array.from(text) : text.split(separator)
  budget.release(mark, 2 * text.length + PIECE_BYTES * pieces.length)
  budget.step(pieces.length)
  return pieces
}

/** GROQ's `array::join()`. */
export function join(list: unknown, separator: unknown, budget: Budget): unknown {
  if (!Array.isArray(list) || typeof separator !== 'string') return null
  budget.takeList(list.length)
  const parts: string[] = []
  let length = 0
  for (const item of list) {
    const text = scalarText(item)
    if (text === undefined) return null
    length += text.length + separator.length
    parts.push(text)
  }
  budget.takeText(length)
  return parts.join(separator)
}

/** GROQ's `pt::text()`: the text of Portable Text blocks. */
export function textOfBlocks(value: unknown, budget: Budget): unknown {
  if (isRecord(value)) return textOfBlock(value, budget)
  if (!Array.isArray(value)) return null
  const texts: string[] = []
  collectBlocks(value, texts, budget)
  if (texts.length === 0) return null
  budget.takeText(texts.reduce((sum, text) => sum + text.length + 2, 0))
  return texts.join('\n\n')
}

function collectBlocks(list: readonly unknown[], into: string[], budget: Budget): void {
  for (const block of list) {
    budget.step(1)
    if (Array.isArray(block)) collectBlocks(block, into, budget)
    const text = isRecord(block) ? textOfBlock(block, budget) : null
    if (text === null) continue
    budget.takeList(1)
    into.push(text)
  }
}

function textOfBlock({_type, children}: {readonly [name: string]: unknown}, budget: Budget): string | null {
  if (typeof _type !== 'string' || !Array.isArray(children)) return null
  budget.step(children.length)
  const texts: string[] = []
  let length = 0
  for (const child of children) {
    if (!isRecord(child) || child._type !== 'span' || typeof child.text !== 'string') continue
    length += child.text.length
    texts.push(child.text)
  }
  budget.takeText(length)
  return texts.join('')
}
