import {type Parsed, parseChoice, refuse} from '../parsed.ts'
import type {Hint} from './annotations.ts'

/** Before which calls of agents the page asks the visitor. */
const CHOICES = ['never', 'consequential', 'changes'] as const

export type AskBefore = (typeof CHOICES)[number]

/** Which tools of a site ask the visitor. A missing field means none. */
export function parseAskBefore(value: unknown): Parsed<AskBefore> {
  const parsed = parseChoice(value, CHOICES, '"Ask the visitor first"')
  return parsed.ok
    ? parsed
    : refuse(`${parsed.problem} Until then, visitors are asked about every tool that is not read-only.`)
}

/** Which tools ask. What cannot be read asks about every change, because somebody wanted visitors to be asked. */
export function askBeforeOf(value: unknown): AskBefore {
  const parsed = parseAskBefore(value)
  return parsed.ok ? parsed.value : 'changes'
}

/**
 * Whether a tool with these annotations asks the visitor.
 * @param changes see `changesSomething`
 */
export function asksVisitor(
  askBefore: AskBefore,
  {consequentialHint, readOnlyHint}: {readonly [hint in Hint]?: unknown},
  changes = false,
): boolean {
  if (askBefore === 'never') return false
  return consequentialHint === true || (askBefore === 'changes' && (readOnlyHint !== true || changes))
}
