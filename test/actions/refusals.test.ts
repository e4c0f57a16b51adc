import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {parse} from 'yaml'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {parameters, requestTool} from './support.ts'

const SCHEMA = parameters({query: {type: 'string'}, page: {type: 'integer'}, filter: {type: 'object'}}, [
  'query',
])

type Row = readonly [what: string, tool: object, problem: string]

const TABLES: {
  readonly addresses: readonly (readonly [address: string, message: string | null])[]
  readonly requests: readonly Row[]
  readonly others: readonly Row[]
} = parse(readFileSync(new URL('refusals.yaml', import.meta.url), 'utf8'))

function problemOf(tool: object): string | undefined {
  const problem = problemOfAction({inputSchema: SCHEMA, ...tool})
  return problem && `${problem.field}: ${problem.message}`
}

for (const [address, message] of TABLES.addresses)
  test(`the address ${JSON.stringify(address)} is ${message === null ? 'accepted' : 'refused'}`, () => {
    const expected = message === null ? undefined : `request.address: ${message}`
    assert.equal(problemOf(requestTool({address}, SCHEMA)), expected)
  })

for (const [what, request, problem] of TABLES.requests)
  test(`a request with ${what} is refused`, () => {
    assert.equal(problemOf(requestTool({address: '/api', ...request}, SCHEMA)), problem)
  })

for (const [what, tool, problem] of TABLES.others)
  test(`${what} is refused`, () => {
    assert.equal(problemOf(tool), problem)
  })

test('an action is as long as a script at most, so that what the rules accept is served', () => {
  const body = Array.from({length: 6}, (_, at) => ({name: `part${at}`, value: 'x'.repeat(19_000)}))
  const tool = requestTool({method: 'POST', address: '/api', body}, SCHEMA)
  assert.match(problemOf(tool) ?? '', /^request: What the tool does has 114,\d{3} characters/)
})
