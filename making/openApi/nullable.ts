import {recordsIn} from '../../schemas/record.ts'

/** A schema without references, in the keywords that tools use. */
export type Schema = Record<string, unknown>

/**
 * A schema in which null is one of the types, whichever of four ways says so: `nullable`, `type: [x, null]`, a choice
 * (`anyOf`, `oneOf`) that is null, `x-nullable`. A choice of one is that one.
 */
export function withoutNullChoices(schema: Schema, isNullable: boolean): Schema {
  let found = schema
  let mayBeNull = isNullable
  for (const keyword of ['oneOf', 'anyOf']) {
    const {[keyword]: list, ...rest} = found
    if (list === undefined) continue
    const choices = recordsIn(list)
    const kept = choices.filter((choice) => !isNull(choice))
    mayBeNull ||= kept.length < choices.length
    found = kept.length > 1 ? {...rest, [keyword]: kept} : {...kept[0], ...rest}
  }
  return mayBeNull ? withNull(found) : found
}

function isNull({type, const: only, enum: values}: Schema): boolean {
  return type === 'null' || only === null || (Array.isArray(values) && values.every((one) => one === null))
}

function withNull(schema: Schema): Schema {
  const {type, enum: values, oneOf, anyOf} = schema
  return {
    ...schema,
    ...(type !== undefined && {type: [...new Set([type, 'null'].flat())]}),
    ...(Array.isArray(values) && {enum: [...new Set([...values, null])]}),
    ...(oneOf !== undefined && {oneOf: [oneOf, {type: 'null'}].flat()}),
    ...(anyOf !== undefined && {anyOf: [anyOf, {type: 'null'}].flat()}),
  }
}
