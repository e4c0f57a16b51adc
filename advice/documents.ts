import {ACTION_KINDS, type Action} from '../schemas/actions/action.ts'
import type {Fields} from '../schemas/record.ts'
import {type Advice, advise} from './advice.ts'

// The rules of documents as a whole: what several fields say together, or two documents. What a tool must have for what
// it does is in its declaration, by `only` and `isRequired`.

/** For files: forms of Studio begin with a tool that is on. */
export function adviseOff({enabled}: Fields): Advice[] {
  if (enabled !== undefined && enabled !== null) return []
  const message = 'The tool has no "enabled", so it is off: write "enabled": true to offer it.'
  return [advise('ENABLED_MISSING', 'enabled', message)]
}

/** What a tool did before somebody chose something else. */
export function adviseIgnored(tool: Fields, action: Action): Advice[] {
  return ACTION_KINDS.map((kind) => (kind === 'script' ? 'executeJs' : kind))
    .filter((field) => field !== action.kind && tool[field] !== undefined && tool[field] !== null)
    .map((field) => {
      const message = `The field “action” says “${action.kind}”, so “${field}” has no effect: delete it, or change “action”.`
      return advise('ACTION_IGNORED', field, message)
    })
}

/** @param other a form tool of the same form, on a page of this one */
export function adviseForm(other: {readonly name: string} | undefined): Advice[] {
  if (other === undefined) return []
  const message = `“${other.name}” has the same form on the same page, and a form can be only one of them: choose another selector or other pages.`
  return [advise('FORM_SHARED', 'selector', message)]
}
