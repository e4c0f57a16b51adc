import type {DocumentActionComponent} from 'sanity'

/**
 * Changes actions of Sanity. Studio resolves actions again and again: an action is changed once, because a new function would
 * lose the state of the old one.
 * @param name for React's tools
 */
export function replacedAction(
  name: string,
  change: (action: DocumentActionComponent) => DocumentActionComponent,
): (action: DocumentActionComponent) => DocumentActionComponent {
  const known = new WeakMap<DocumentActionComponent, DocumentActionComponent>()
  return (action) => {
    const earlier = known.get(action)
    if (earlier !== undefined) return earlier
    const changed = change(action)
    if (action.action !== undefined) changed.action = action.action
    changed.displayName = name
    known.set(action, changed)
    return changed
  }
}
