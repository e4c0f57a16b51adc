import {type Declaration, type Problem, problemsIn} from './document.ts'
import type {Field, Member} from './field.ts'
import {formTool} from './formTool.ts'
import type {Fields} from './record.ts'
import {site} from './site.ts'
import {tool} from './tool.ts'

/** Every type of documents. */
export const DECLARATIONS: readonly Declaration[] = [site, tool, formTool]

/** The extensions of the fields that have files of their own in content repositories, by type. */
export const TEXT_FILES = Object.fromEntries(
  DECLARATIONS.map(({name, fields}) => [
    name,
    Object.fromEntries(
      fields.flatMap((field) => (field.file === undefined ? [] : [[field.name, field.file]])).sort(),
    ),
  ]),
)

/** The types of tools, in the order in which the service serves them. */
export const TOOL_DECLARATIONS = {tool, formTool} as const

const BY_TYPE = new Map(DECLARATIONS.map((declaration) => [declaration.name, declaration]))

/** What is declared of a type. Documents may have any type, such as `constructor`. */
export function declarationOf(type: string): Declaration | undefined {
  return BY_TYPE.get(type)
}

/** A field by its type and name. */
export function fieldOf(type: string, name: string): Field | undefined {
  return declarationOf(type)?.fields.find((field) => field.name === name)
}

/** All that is wrong in a document, in the order of its fields. */
export function problemsOf(type: string, document: Fields): Problem[] {
  const declaration = declarationOf(type)
  return declaration === undefined ? [] : problemsIn(declaration, document)
}

/** What is wrong in a document first, in a sentence for editors; undefined: nothing, or it has another type. */
export function problemOf(document: Fields & {readonly _type: string}): string | undefined {
  return problemsOf(document._type, document)[0]?.problem
}

/** Whether a type has a field or member with a path, such as `request.address`. */
export function isDeclared(path: string): boolean {
  return DECLARATIONS.some(({fields}) => hasMember(fields, path.split('.')))
}

function hasMember(members: readonly Member[], [step, ...rest]: readonly string[]): boolean {
  const member = members.find(({name}) => name === step)
  return member !== undefined && (rest.length === 0 || hasMember(member.members ?? [], rest))
}
