import {compileSchema} from './compile.ts'

type Validator = (value: unknown, context: unknown) => unknown

/** The validation of a field in the compiled schema, found by running it as Studio does. */
export type FieldRules = {required: boolean; problemsOf(value: unknown, context?: unknown): Promise<string[]>}

/** The rules of a field. `fieldRules('tool', 'exposedTo', 'of')` returns those of the list's members. */
export function fieldRules(typeName: string, ...path: string[]): FieldRules {
  let type: unknown = compileSchema().get(typeName)
  for (const name of path) {
    type =
      name === 'of'
        ? listOf(type, 'of')[0]
        : read(
            listOf(type, 'fields').find((field) => read(field, 'name') === name),
            'type',
          )
  }
  const validation = read(type, 'validation')
  if (typeof validation !== 'function') throw new Error(`${typeName}.${path.join('.')} has no validation.`)
  const validators: Validator[] = []
  let required = false
  const rule: object = new Proxy(
    {},
    {
      get: (_target, method) => (argument: unknown) => {
        if (method === 'required') required = true
        if (method === 'custom' && typeof argument === 'function')
          validators.push((...given) => argument(...given))
        return rule
      },
    },
  )
  validation(rule)
  return {
    required,
    async problemsOf(value, context = nobodyElse) {
      const answers = await Promise.all(validators.map((validate) => validate(value, context)))
      return answers.filter((answer): answer is string => typeof answer === 'string')
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
