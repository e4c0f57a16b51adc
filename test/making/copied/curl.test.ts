import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import fc from 'fast-check'
import {parse} from 'yaml'
import {toolOfCopied} from '../../../making/copied/copiedTool.ts'
import {parseCurl} from '../../../making/copied/curl.ts'
import type {Exchange} from '../../../making/values.ts'
import {isRecord} from '../../../schemas/record.ts'
import {runs} from '../../runner/runs.ts'

const SITE = 'https://library.example'

/** Commands as browsers, programs, documents and people write them, and those that no tool can come of. */
const COMMANDS: {
  readonly read: readonly (readonly [what: string, command: string, exchange: Exchange, leftOut: string[]])[]
  readonly refused: readonly (readonly [what: string, command: string, problem: string])[]
} = parse(readFileSync(new URL('commands.yaml', import.meta.url), 'utf8'))

for (const [what, command, exchange, leftOut] of COMMANDS.read)
  test(`reads ${what}`, () => {
    assert.deepEqual(parseCurl(command), {ok: true, value: {exchange, headers: [], leftOut}})
  })

for (const [what, command, problem] of COMMANDS.refused)
  test(`refuses ${what}`, () => {
    const parsed = parseCurl(command)
    assert.equal(parsed.ok, false)
    assert.match(parsed.ok ? '' : parsed.problem, new RegExp(problem))
  })

test('what a tool returns stays when a command is filled in; without it, agents get the text', () => {
  const result = {kind: 'list', path: 'data', members: [{path: 'id'}]}
  const resultFor = (request: unknown) => {
    const copied = toolOfCopied(`curl ${SITE}/hours`, [SITE], request)
    const filled = copied.ok ? copied.value.fields.request : undefined
    return isRecord(filled) ? filled.result : undefined
  }
  assert.deepEqual(resultFor({address: '/x', result}), result)
  for (const none of [undefined, {}, {result: {}}]) assert.deepEqual(resultFor(none), {kind: 'text'})
})

test('any text is read or refused', () => {
  const words = fc.constantFrom(' ', '\n', ...`curl -d -X ' " \\ $ $' https://a.example -- - @`.split(' '))
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), {maxLength: 12}), (texts) => {
      parseCurl(`curl ${texts.join(' ')}`)
    }),
    {numRuns: runs(200)},
  )
})

test('a command with several operations of GraphQL is refused, and a list of one is that operation', () => {
  const commandOf = (operations: number) => {
    const list = Array.from({length: operations}, (_, at) => ({
      operationName: `A${at}`,
      query: `query A${at} { a }`,
    }))
    return `curl https://example.com/graphql --json '${JSON.stringify(list)}'`
  }
  assert.match(JSON.stringify(toolOfCopied(commandOf(1), [], undefined)), /"name":"a0"/)
  const several = toolOfCopied(commandOf(3), [], undefined)
  assert.match(several.ok ? '' : several.problem, /^The command sends 3 operations at once/)
})
