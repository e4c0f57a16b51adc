import type {Hint} from '../schemas/rules/hints/annotations.ts'
import {requestChanges} from '../schemas/rules/hints/effects.ts'
import {inferHints} from '../schemas/rules/hints/inferHints.ts'

/** What Auto comes to for a tool, and why, as a sentence for an editor. */
export function explainHint(
  hint: Hint,
  name: string,
  tool: {readonly [field: string]: unknown} = {},
): string {
  if (name.trim() === '') return 'Auto: the name decides. Type a name first.'
  if (hint === 'readOnlyHint' && requestChanges(tool))
    return 'Auto: not read-only, because its request may change something. If it only searches, choose “Yes”.'
  const [result, reason] = REASONS[hint](name)
  return `Auto: ${result}, because ${reason}.`
}

const REASONS: Readonly<Record<Hint, (name: string) => readonly [result: string, reason: string]>> = {
  readOnlyHint(name) {
    const {readOnly, consequential, words} = inferHints(name)
    if (readOnly)
      return ['read-only', `the name ${name.includes('.') ? 'has' : 'begins with'} ${list(words.reading)}`]
    if (consequential) return ['not read-only', `${phrase(words.action)} has consequences`]
    return ['not read-only', 'the name does not begin with a word such as “search”, “get” or “list”']
  },
  consequentialHint(name) {
    const {consequential, words} = inferHints(name)
    if (consequential) return ['consequential', `${phrase(words.action)} cannot easily be undone`]
    return ['not consequential', 'nothing in the name sounds like buying, sending or deleting']
  },
  untrustedContentHint(name) {
    const {readOnly, untrusted, words} = inferHints(name)
    if (untrusted) return ['untrusted content', `other people write ${list(words.writing)}`]
    if (!readOnly) return ['no untrusted content', 'the name does not say that the tool only reads']
    return ['no untrusted content', 'the name mentions nothing that other people write, such as “reviews”']
  },
}

/** The words as one phrase: `place order`. */
function phrase(words: readonly string[]): string {
  return `“${words.join(' ')}”`
}

function list(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(' and ')
}
