import {type Fields, recordsIn} from '../../../schemas/record.ts'
import {parseInputSchema} from '../../../schemas/rules/inputSchema.ts'
import type {ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import type {Proposal} from '../../../verdicts/proposals.ts'
import {entryOf} from '../../parts/keyed.ts'

/** What an editor typed, complete or not. */
export type TestRow = ReturnType<typeof testsOf>[number]
export type ExpectationRow = TestRow['expect'][number]

/** The tests in the form. */
export function testsOf(value: unknown) {
  return recordsIn(value).map((test) => ({
    _key: textOf(test._key),
    title: textOf(test.title),
    page: textOf(test.page),
    visitor: textOf(test.visitor),
    prompt: textOf(test.prompt),
    given: recordsIn(test.arguments).map(({_key, name, value}) => ({
      _key: textOf(_key),
      name: textOf(name),
      value: textOf(value),
    })),
    expect: recordsIn(test.expect).map(({_key, kind, member, value}) => ({
      _key: textOf(_key),
      kind: textOf(kind),
      member: textOf(member),
      value: textOf(value),
    })),
  }))
}

/** The parameters of the tool in the form, as a schema. Those of a form tool are its described fields. */
export function parametersIn(tool: Fields): ParameterSchema {
  if (tool._type !== 'formTool') {
    const parsed = parseInputSchema(tool.inputSchema)
    return parsed.ok ? parsed.value : {}
  }
  const named = recordsIn(tool.fields).filter(({name}) => typeof name === 'string' && name !== '')
  return {type: 'object', properties: Object.fromEntries(named.map(({name, title}) => [name, {title}]))}
}

/** A new test, with a title that no other has. */
export function newTest(tests: readonly TestRow[], page: string) {
  const titles = tests.map(({title}) => title)
  let number = tests.length + 1
  while (titles.includes(`Test ${number}`)) number += 1
  return entryOf('test', {title: `Test ${number}`, page, arguments: [], expect: []})
}

/** A copy of a test with other arguments. */
export function withInput(test: TestRow, {title, given, isRefused}: Proposal) {
  return entryOf('test', {
    title,
    page: test.page,
    ...(test.visitor !== '' && {visitor: test.visitor}),
    arguments: given.map((row) => entryOf('argument', row)),
    expect: isRefused ? [entryOf('expectation', {kind: 'fails'})] : [],
  })
}
