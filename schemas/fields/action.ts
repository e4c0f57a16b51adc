import {type ActionKind, parseActionKind} from '../actions/action.ts'
import {ACTION_TITLES} from '../actions/describe.ts'
import {choicesOf, field} from '../field.ts'

/** What a tool does. */
export const action = field({
  name: 'action',
  type: 'string',
  title: 'What it does',
  choices: choicesOf<ActionKind>(ACTION_TITLES),
  form: {group: 'work', options: {layout: 'radio', direction: 'vertical'}},
  parse: parseActionKind,
  isServed: true,
  decidesCode: true,
  isHandedOver: true,
})

/** Counts only if the tool does this. A tool without a choice has a script. */
export function onlyIf(kind: ActionKind) {
  return {only: {member: 'action', is: kind === 'script' ? [kind, null] : [kind]}}
}
