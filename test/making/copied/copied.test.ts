import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import fc from 'fast-check'
import {parse} from 'yaml'
import {parseCopied} from '../../../making/copied/copiedTool.ts'
import type {Exchange} from '../../../making/values.ts'
import {runs} from '../../runner/runs.ts'

const SITE = 'https://library.example'

const CALLS: {
  readonly read: readonly (readonly [what: string, text: string, exchange: Exchange, leftOut: string[]])[]
  readonly refused: readonly (readonly [what: string, text: string, problem: string])[]
} = parse(readFileSync(new URL('calls.yaml', import.meta.url), 'utf8'))

for (const [what, text, exchange, leftOut] of CALLS.read)
  test(`reads ${what}`, () => {
    assert.deepEqual(parseCopied(text), {ok: true, value: {exchange, headers: [], leftOut}})
  })

test('a header that may be a secret or about a visitor is not taken over', () => {
  const headers = 'apikey: 2022-11-28; X-Pin: 1234; X-User: 1; X-Trace: a8f3kq9Z; X-Api-Version: k3f9'.split(
    '; ',
  )
  const parsed = parseCopied(`curl ${SITE} ${headers.map((one) => `-H '${one}'`).join(' ')}`)
  assert.deepEqual(parsed.ok && parsed.value.headers, [])
})

const LONG = ['a long text', `curl ${SITE}/${'a'.repeat(100_001)}`, 'shorten it'] as const
for (const [what, text, problem] of [...CALLS.refused, LONG])
  test(`refuses ${what}`, () => {
    const parsed = parseCopied(text)
    assert.match(parsed.ok ? '' : parsed.problem, new RegExp(problem))
  })

test('any text of these kinds is read or refused', () => {
  const words = ['fetch(', "'https://a.example'", ', {', 'body:', '`', '})', 'irm ', '^"', '}', '\n']
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), {maxLength: 12}), (texts) => {
      for (const begin of ['fetch(', 'curl ']) parseCopied(begin + texts.join(''))
    }),
    {numRuns: runs(200)},
  )
})
