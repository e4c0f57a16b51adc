import {compileSchema} from './compile.ts'

const compiled = compileSchema()

type Validator = (value: unknown, context: unknown) => unknown

/** The validation of a field in the compiled schema, found by running it as Studio does. */
export type FieldRules = {problemsOf(value: unknown, context?: unknown): Promise<string[]>}

/** The rules of a field. */
export function fieldRules(typeName: string, name: string): FieldRules {
  const type = read(
    listOf(compiled.get(typeName), 'fields').find((field) => read(field, 'name') === name),
    'type',
  )
  const validation = read(type, 'validation')
  if (typeof validation !== 'function') throw new Error(`${typeName}.${name} has no validation.`)
  const validators: Validator[] = []
  const rule: object = new Proxy(
    {},
    {
      get: (_target, method) => (argument: unknown) => {
        if (method === 'custom' && typeof argument === 'function')
          validators.push((...given) => argument(...given))
        return rule
      },
    },
  )
  validation(rule)
  return {
    async problemsOf(value, context = nobodyElse) {
      const answers = await Promise.all(validators.map((validate) => validate(value, context)))
      return answers
        .map((answer) => read(answer, 'message') ?? answer)
        .filter((answer) => typeof answer === 'string')
    },
  }
}

/** A validation context in which the dataset holds no other document. */
const nobodyElse = {
  document: {_id: 'drafts.own', _type: 'tool', site: {_ref: 'shop'}},
  getClient: () => ({fetch: async () => []}),
}

/** A member of an object of unknown type. */
export function read(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
}

function listOf(value: unknown, member: string): unknown[] {
  const list = read(value, member)
  return Array.isArray(list) ? list : []
}
