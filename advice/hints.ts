import {
  annotationsOf,
  type Hint,
  type HintSetting,
  inferAnnotations,
} from '../schemas/rules/hints/annotations.ts'
import {type Advice, advise} from './advice.ts'
import type {ScriptAdvice} from './script/script.ts'

/**
 * Advice on hints that contradict the tool's name or its script.
 * @param script what is known of the script
 */
export function adviseHints(
  name: string,
  settings: Record<Hint, HintSetting>,
  {changesData, onlyReads}: Pick<ScriptAdvice, 'changesData' | 'onlyReads'>,
  inferred = inferAnnotations(name),
): Advice[] {
  const advice: Advice[] = []
  const {readOnlyHint: isReadOnly = false, consequentialHint: isConsequential = false} = annotationsOf(
    name,
    settings,
    inferred,
  )
  if (settings.readOnlyHint === 'true' && inferred.consequentialHint === true) {
    const message = `The hint says that the tool only reads, but “${name}” sounds like an action with consequences. Agents may call it without asking the visitor.`
    advice.push(advise('HINT_CONTRADICTS_NAME', 'annotations.readOnlyHint', message))
  }
  if (settings.consequentialHint === 'false' && inferred.consequentialHint === true) {
    const message = `“${name}” sounds like an action with consequences, but the hint says that it has none. Agents will not ask the visitor first.`
    advice.push(advise('HINT_CONTRADICTS_NAME', 'annotations.consequentialHint', message))
  }
  if (isReadOnly && isConsequential && advice.length === 0) {
    const message =
      'A tool that only reads has no consequences, but both hints come to “Yes”. Set one of them to “No”.'
    advice.push(advise('HINTS_CONTRADICT', 'annotations.consequentialHint', message))
  }
  if (isReadOnly && changesData) {
    const message =
      'The tool sends data with POST, PUT, PATCH or DELETE, but the tool is marked as read-only. If the call changes something, set this hint to “No”.'
    advice.push(
      advise('HINT_CONTRADICTS_SCRIPT', 'annotations.readOnlyHint', message, {
        fix: {title: 'Set “Read-only” to “No”', replacement: 'false'},
      }),
    )
  }
  if (settings.readOnlyHint === 'auto' && !isReadOnly && !isConsequential && onlyReads) {
    const message = `The tool seems to change nothing, but “${name}” does not begin with a verb for reading, so the tool is not marked as read-only: some agents announce it as destructive. If it only reads, set this hint to “Yes”.`
    advice.push(advise('READ_ONLY_UNSET', 'annotations.readOnlyHint', message))
  }
  return advice
}
