import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {errorText, hashText} from '../../../schemas/calls/errorText.ts'
import {errorTextsOf} from '../../../service/calls/errorTexts.ts'
import {runs} from '../../runner/runs.ts'

const CASES: [message: string, args: unknown, text: string][] = [
  ['The cart is full.', {}, 'The cart is full.'],
  ['  First line\nSecond line', {}, 'First line'],
  ['No product "Red rope"', {query: 'Red rope'}, 'No product "#"'],
  ['No product red-12 in size XL', {sku: 'red-12', size: 'XL'}, 'No product # in size XL'],
  ['Order 4711 of 2026-11-26 failed', {}, 'Order # of #-#-# failed'],
  ['ann.miller@example.com is not known', {}, '# is not known'],
  ['Nested: Bergen, Oslo', {to: {city: 'Oslo', via: ['Bergen']}}, 'Nested: #, #'],
  ['Status 404', undefined, 'Status #'],
]
for (const [message, args, text] of CASES)
  test(`the error “${message.trim()}” is counted as “${text}”`, () =>
    assert.equal(errorText(message, args), text))

test('an error has no value of an argument, no digit and no e-mail address in it', () => {
  const value = fc.string({minLength: 3, maxLength: 20}).filter((text) => text.trim() === text)
  fc.assert(
    fc.property(fc.string(), value, fc.string(), (before, argument, after) => {
      const text = errorText(`${before}${argument}${after}`.replaceAll('\n', ' '), {deep: [{argument}]})
      assert.ok(!text.includes(argument) || argument === '###', text)
      assert.doesNotMatch(text, /\d|[^\s#]@[^\s#]/)
    }),
    {numRuns: runs(200)},
  )
})

test('a script tells the texts of its errors, and those of browsers about its names', () => {
  const texts = errorTextsOf(`
    const shop = 'It\\'s open'
    if (full) throw new Error("The cart is full.")
    throw new Error(\`No product \${args.sku} in \${count} shops\`)
    document.querySelector('#buy').click(); shop.cart.add(args)`)
  const textOf = (message: string, args?: unknown) => texts.get(hashText(errorText(message, args)))
  assert.equal(textOf('The cart is full.'), 'The cart is full.')
  assert.equal(textOf('No product red-12 in 3 shops', {sku: 'red-12'}), 'No product # in # shops')
  assert.equal(
    textOf("Cannot read properties of null (reading 'click')"),
    "Cannot read properties of null (reading 'click')",
  )
  assert.equal(textOf('shop.cart.add is not a function'), 'shop.cart.add is not a function')
  assert.equal(textOf('full is not defined'), 'full is not defined')
  assert.equal(textOf('Failed to fetch'), 'Failed to fetch')
  assert.equal(textOf('Your password is secret'), undefined)
})

test('a script that would be slow to match is read', () => {
  // Quadratic time would be a minute.
  const script = '"'.repeat(50_000) + '`'.repeat(50_001) + 'a.'.repeat(50_000)
  assert.ok(errorTextsOf(script).size < 1_000)
})

test('different texts have different hashes, of 16 digits', () => {
  const texts = Array.from({length: 20_000}, (_, number) => `Error ${number.toString(36)}`)
  const hashes = new Set(texts.map(hashText))
  assert.equal(hashes.size, texts.length)
  for (const hash of hashes) assert.match(hash, /^[0-9a-f]{16}$/)
})
