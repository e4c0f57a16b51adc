import {accept, type Parsed} from '../../rules/parsed.ts'
import {parseSelector} from '../../rules/selector.ts'
import {INTO} from './names.ts'

const MOST_ROOTS = 6

/** Selectors of which each but the first finds something in the shadow root of what the one before finds: `my-app >>> .card`. */
export function parseDeepSelector(value: unknown, isInEntry = false): Parsed<string> {
  const steps = typeof value === 'string' ? value.split(INTO) : []
  if (steps.length < 2 || steps.length > MOST_ROOTS) return parseSelector(value)
  for (const [at, step] of steps.entries()) {
    if (isInEntry && at === 0 && step.trim() === '') continue
    const parsed = parseSelector(step.trim())
    if (!parsed.ok) return parsed
  }
  return accept(String(value))
}
