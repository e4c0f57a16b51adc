import {annotationsOf, type Hint, type HintSetting, inferAnnotations} from '../rules/hints/annotations.ts'
import {type Advice, advise} from './advice.ts'

/**
 * Advice on hints that contradict the tool's name or its script.
 * @param changesData whether the script sends data in a way that changes something, such as by POST
 */
export function adviseHints(
  name: string,
  settings: Record<Hint, HintSetting>,
  changesData: boolean,
): Advice[] {
  const inferred = inferAnnotations(name)
  const advice: Advice[] = []
  const {readOnlyHint: isReadOnly = false, consequentialHint: isConsequential = false} = annotationsOf(
    name,
    settings,
    inferred,
  )
  if (settings.readOnlyHint === 'true' && inferred.consequentialHint === true) {
    advice.push(
      advise(
        'HINT_CONTRADICTS_NAME',
        'annotations.readOnlyHint',
        `The hint says that the tool only reads, but “${name}” sounds like an action with consequences. Agents may call it without asking the visitor.`,
      ),
    )
  }
  if (settings.consequentialHint === 'false' && inferred.consequentialHint === true) {
    advice.push(
      advise(
        'HINT_CONTRADICTS_NAME',
        'annotations.consequentialHint',
        `“${name}” sounds like an action with consequences, but the hint says that it has none. Agents will not ask the visitor first.`,
      ),
    )
  }
  if (isReadOnly && isConsequential && advice.length === 0) {
    advice.push(
      advise(
        'HINTS_CONTRADICT',
        'annotations.consequentialHint',
        'A tool that only reads has no consequences, but both hints come to “Yes”. Set one of them to “No”.',
      ),
    )
  }
  if (isReadOnly && changesData) {
    advice.push(
      advise(
        'HINT_CONTRADICTS_SCRIPT',
        'annotations.readOnlyHint',
        'The script sends data with POST, PUT, PATCH or DELETE, but the tool is marked as read-only. If the call changes something, set this hint to “No”.',
      ),
    )
  }
  return advice
}
