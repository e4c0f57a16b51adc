import type {Encoding} from '../../schemas/actions/request.ts'
import {isRecord, recordsIn} from '../../schemas/record.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {ANY_TYPE, FORM_TYPE, JSON_LIKE, JSON_TYPE, MULTIPART_TYPE, mediaOf, noteOfType} from './media.ts'
import type {Schema} from './nullable.ts'
import type {References} from './references.ts'

/** What an operation sends: members of JSON, or fields of a form. A list, or an object with any names, is one member without a name. */
export type Body = {
  readonly encoding: Encoding
  readonly members: readonly (readonly [name: string, schema: Schema])[]
  readonly required: readonly unknown[]
  readonly notes: readonly string[]
}

/** @throws TooLargeError */
export function bodyOf(value: unknown, references: References): Parsed<Body | undefined> {
  const {content, required: isRequired} = references.resolve(value) ?? {}
  const offered = mediaOf(content, [/^/])
  if (offered === undefined) return accept(undefined)
  const media = mediaOf(content, [JSON_TYPE, JSON_LIKE, ANY_TYPE, FORM_TYPE, MULTIPART_TYPE])
  if (media === undefined) return refuse(`The operation sends ${offered.type}, which only a script can do.`)
  const schema = references.schemaOf(media.schema, 'sent')
  const {members: all, required, notes} = membersOf(schema)
  const files = all.filter(([, schema]) => isFile(schema)).map(([name]) => name)
  if (files.some((name) => required.includes(name)))
    return refuse('The operation sends a file, which only a script can do.')
  const encoding = FORM_TYPE.test(media.type)
    ? 'form'
    : MULTIPART_TYPE.test(media.type)
      ? 'multipart'
      : 'json'
  if (all.length === 0 && encoding === 'json' && Object.keys(schema).length > 0) {
    const whole =
      schema.type === 'object' ? {description: describeNames(media.schema, references), ...schema} : schema
    const members = [['', whole]] as const
    return accept({
      encoding,
      members,
      required: isRequired === true ? [''] : [],
      notes: [...notes, ...noteOfType(media)],
    })
  }
  const members = all.filter(([name]) => !files.includes(name))
  if (members.length === 0)
    return refuse('The operation sends a body without named members, which only a script can do.')
  const ofFiles = files.map((name) => `“${name}” is a file, which a tool does not send.`)
  return accept({encoding, members, required, notes: [...notes, ...ofFiles, ...noteOfType(media)]})
}

/** Agents get no `additionalProperties`: some refuse tools that have them. */
function describeNames(value: unknown, references: References): string {
  const {type} = references.schemaOf(references.resolve(value)?.additionalProperties, 'sent')
  return `Any names, each with ${typeof type === 'string' ? `a value that is: ${type}` : 'a value'}.`
}

function isFile({format, contentMediaType, items}: Schema): boolean {
  return format === 'binary' || contentMediaType !== undefined || (isRecord(items) && isFile(items))
}

/** The members of a body; of several bodies that are possible, those of each. */
function membersOf({properties, required, oneOf, anyOf}: Schema): Omit<Body, 'encoding'> {
  const choices = [oneOf, anyOf].flatMap(recordsIn).map(membersOf)
  const own = Object.entries(isRecord(properties) ? properties : {})
  const members = new Map(own.map(([name, member]) => [name, isRecord(member) ? member : {}]))
  for (const [name, member] of choices.flatMap((choice) => choice.members))
    if (!members.has(name)) members.set(name, member)
  const [first, ...others] = choices.map((choice) => choice.required)
  const inAll = first?.filter((name) => others.every((list) => list.includes(name))) ?? []
  return {
    members: [...members],
    required: [...(Array.isArray(required) ? required : []), ...inAll],
    notes:
      choices.length > 1
        ? ['The file has several bodies for the operation: the tool has all their parts.']
        : [],
  }
}
