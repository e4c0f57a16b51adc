import type {Rule} from '@sanity/types'
import {keyedPath} from './actions/problem.ts'
import {type Declaration, judgeField} from './document.ts'
import type {Field, Member} from './field.ts'
import type {Fields} from './record.ts'

/** A type of documents as Sanity defines it. */
export function sanityType({name, title, fields, form}: Declaration) {
  return {
    name,
    type: 'document' as const,
    title,
    ...form,
    fields: fields.map((field) => ({...sanityField(field), validation: validationOf(field)})),
  }
}

type SanityField = {name: string; type: string; description?: string; [option: string]: unknown}

function sanityField(member: Member): SanityField {
  const {name, type, title, description, only, choices, members, entry, form = {}} = member
  const isHidden = only && hiddenUnless(only)
  return {
    name,
    type,
    title,
    ...(description && {description}),
    ...(isHidden && {hidden: isHidden}),
    ...form,
    ...(choices && {options: {list: choices, ...form.options}}),
    ...(members && {fields: members.map(sanityField)}),
    ...(entry && {of: [sanityEntry(entry)]}),
  }
}

function sanityEntry({type, title, members, preview}: NonNullable<Member['entry']>) {
  if (members === undefined) return {type}
  return {name: type, type: 'object', title, fields: members.map(sanityField), ...(preview && {preview})}
}

/** Hides a field that does not count. The members that decide are next to it. */
function hiddenUnless({member, is}: NonNullable<Member['only']>) {
  return ({document, parent}: {readonly document?: Fields; readonly parent?: Fields}) =>
    !is.some((one) => one === ((parent ?? document)?.[member] ?? null))
}

/** The rule of a field, at the part of it that is wrong. */
function validationOf(field: Field) {
  return (rule: Rule) => [
    rule.custom((value, {document}) => {
      const whole: Fields = {...document, [field.name]: value}
      const parsed = judgeField(field, whole)
      if (parsed.ok) return true
      const [, ...path] = keyedPath(whole, [field.name, ...(parsed.path ?? [])].join('.'))
      return path.length === 0 ? parsed.problem : {message: parsed.problem, path: [...path]}
    }),
    ...(field.checks ?? []).map((check) => rule.custom(check)),
  ]
}
