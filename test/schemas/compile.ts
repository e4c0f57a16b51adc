import {Schema} from '@sanity/schema'
import {builtinTypes} from '@sanity/schema/_internal'
import type * as sanity from '@sanity/types'
import {DECLARATIONS} from '../../schemas/index.ts'
import {sanityType} from '../../schemas/sanity.ts'

export const schemaTypes = DECLARATIONS.map(sanityType)

/** Compiles the schema as Studio does, without Studio. */
export function compileSchema(): sanity.Schema {
  const compiled = Schema.compile({name: 'handrail', types: [...builtinTypes, ...schemaTypes]})
  // The class has a `parent` that exists but is undefined, which the interface does not allow.
  return {
    name: compiled.name,
    _original: compiled._original,
    _registry: compiled._registry,
    get: (name) => compiled.get(name),
    has: (name) => compiled.has(name),
    getTypeNames: () => compiled.getTypeNames(),
    getLocalTypeNames: () => compiled.getLocalTypeNames(),
  }
}
