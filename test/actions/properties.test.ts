import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {planOf} from '../../actions/plan.ts'
import {parseAction} from '../../schemas/actions/parseAction.ts'
import {isNothing} from '../../schemas/calls/counts.ts'
import {parseScript} from '../../schemas/rules/script.ts'
import {runs} from '../runner/runs.ts'
import {accepted} from '../schemas/rules/problem.ts'
import {args, parsed, request, schema, text, tool} from './generated.ts'
import {compiled, ORIGIN, readableScript, run} from './support.ts'

/** What a server may send. */
const response = fc.oneof(
  fc.tuple(fc.json(), fc.constantFrom(200, 201, 400, 404, 503)).map(
    ([body, status]) =>
      () =>
        new Response(body, {status}),
  ),
  fc
    .array(
      fc.oneof(
        fc.jsonValue(),
        fc.record({title: text, secret: text, authors: fc.array(fc.record({name: text}))}),
      ),
    )
    .chain((items) => fc.constantFrom<unknown>(items, {items}, {data: {items}}, items[0]))
    .map((body) => () => new Response(JSON.stringify(body) ?? '')),
  fc.constant(() => new Response(null, {status: 204})),
  fc.constant(() => Promise.reject(new TypeError('Failed to fetch'))),
)

const MESSAGES =
  /^(?:The request failed with status \d+\. |The website (?:says:|did not|sent|could not|refused) |“.{0,2}” for “.{1,40}” cannot be a part of an address\.$|This page does not have |The page has no )/s

test('an action that the rules accept is a script that the rules accept', () => {
  fc.assert(
    fc.property(tool, (generated) => {
      const action = parsed(generated)
      fc.pre(action !== undefined)
      const script = compiled(planOf(action, schema))
      const own = readableScript(planOf(action, schema))
      assert.equal(accepted(parseScript(own)), own)
      assert.equal(accepted(parseScript(script)), script)
      assert.equal(compiled(planOf(action, schema)), script)
    }),
    {numRuns: runs(10_000)},
  )
})

test('a script of an action fails with its own messages, and returns only what was chosen', async () => {
  await fc.assert(
    fc.asyncProperty(request, args, response, fc.boolean(), async (generated, given, respond, isReadable) => {
      const action = parsed({action: 'request', request: generated})
      fc.pre(action?.kind === 'request' && action.result.kind !== 'parts')
      try {
        const script = isReadable ? readableScript : compiled
        const {result: returned} = await run(script(planOf(action, schema)), given, respond)
        if (isNothing(returned)) return
        if (action.result.kind !== 'list' && action.result.kind !== 'object')
          return void assert.equal(typeof returned, 'string')
        if (action.result.members.length === 0) return
        if (typeof returned === 'string') return void assert.match(returned, /^Done\./)
        const names = action.result.members.map((member) => member.name)
        if (action.result.kind === 'list')
          assert.ok(Array.isArray(returned) && returned.length <= action.result.limit + 1)
        for (const entry of Array.isArray(returned) ? returned : [returned]) {
          if (typeof entry === 'string') {
            assert.match(entry, /^\d+ more not shown$/)
            continue
          }
          assert.deepEqual(
            Object.keys(entry).filter((key) => !names.includes(key)),
            [],
          )
        }
      } catch (error) {
        assert.ok(error instanceof Error)
        if (error instanceof assert.AssertionError) throw error
        assert.match(error.message, MESSAGES)
      }
    }),
    {numRuns: runs(10_000)},
  )
})

test('an argument stays in its place of the address', async () => {
  const place = fc.record({
    origin: fc.constantFrom('', 'https://api.example.com'),
    parts: fc.array(fc.constantFrom('api', 'a b', '{query}', '{postal code}', '{count}'), {
      minLength: 1,
      maxLength: 4,
    }),
    names: fc.uniqueArray(fc.constantFrom('q', 'a[]', 'x y', '&'), {maxLength: 2}),
  })
  await fc.assert(
    fc.asyncProperty(place, args, async ({origin, parts, names}, given) => {
      const request = {
        address: `${origin}/${parts.join('/')}`,
        query: names.map((one) => ({name: one, parameter: 'postal code'})),
        result: {kind: 'message'},
      }
      const action = parseAction({action: 'request', request}, schema)
      assert.ok(action !== undefined)
      const call = run(compiled(planOf(action, schema)), given, () => new Response())
      const values = parts.map((one) => {
        const used = Object.entries(given).find(([key]) => one === `{${key}}`)
        return used === undefined ? one : String(used[1]).toWellFormed()
      })
      if (values.some((value) => /^\.{0,2}$/.test(value)))
        return assert.rejects(call, {message: /cannot be a part of an address/})
      const url = new URL((await call).sent[0]?.url ?? '')
      assert.equal(url.origin, origin || ORIGIN)
      assert.deepEqual(url.pathname.split('/').slice(1).map(decodeURIComponent), values)
      assert.equal(url.hash, '')
      const expected = names.map((one) => [one, given['postal code'].toWellFormed()])
      assert.deepEqual([...url.searchParams], expected)
    }),
    {numRuns: runs(10_000)},
  )
})
