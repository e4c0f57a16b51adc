import {collectReferences} from './keys.ts'

/** The ids of a value's strong references: every `_ref` that is not `_weak`. */
export function strongReferences(value: unknown): Set<string> {
  const strong = new Set<string>()
  const visit = (inner: unknown): void => {
    if (Array.isArray(inner)) {
      for (const item of inner) visit(item)
    } else if (typeof inner === 'object' && inner !== null) {
      if ('_ref' in inner && '_weak' in inner && inner._weak === true) return
      if ('_ref' in inner) for (const id of collectReferences(inner)) strong.add(id)
      else for (const item of Object.values(inner)) visit(item)
    }
  }
  visit(value)
  return strong
}
