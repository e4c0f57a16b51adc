import assert from 'node:assert/strict'
import {test} from 'node:test'
import {explainHint} from '../../advice/explainHint.ts'
import {HINTS} from '../../schemas/rules/hints/annotations.ts'

const ROWS: [name: string, readOnly: string, consequential: string, untrusted: string][] = [
  [
    'searchProducts',
    'Auto: read-only, because the name begins with “search”.',
    'Auto: not consequential, because nothing in the name sounds like buying, sending or deleting.',
    'Auto: no untrusted content, because the name mentions nothing that other people write, such as “reviews”.',
  ],
  [
    'placeAnOrder',
    'Auto: not read-only, because “place order” has consequences.',
    'Auto: consequential, because “place order” cannot easily be undone.',
    'Auto: no untrusted content, because the name does not say that the tool only reads.',
  ],
  [
    'shop.reviews.list',
    'Auto: read-only, because the name has “list”.',
    'Auto: not consequential, because nothing in the name sounds like buying, sending or deleting.',
    'Auto: untrusted content, because other people write “reviews”.',
  ],
  [
    'addToCart',
    'Auto: not read-only, because the name does not begin with a word such as “search”, “get” or “list”.',
    'Auto: not consequential, because nothing in the name sounds like buying, sending or deleting.',
    'Auto: no untrusted content, because the name does not say that the tool only reads.',
  ],
  [
    'checkAndBuy',
    'Auto: not read-only, because “buy” has consequences.',
    'Auto: consequential, because “buy” cannot easily be undone.',
    'Auto: no untrusted content, because the name does not say that the tool only reads.',
  ],
]

for (const [name, ...sentences] of ROWS) {
  test(`Auto explains the hints of ${name}`, () => {
    assert.deepEqual(
      HINTS.map((hint) => explainHint(hint, name)),
      sentences,
    )
  })
}

test('without a name, Auto says what it waits for', () => {
  for (const hint of HINTS) assert.equal(explainHint(hint, ' '), 'Auto: the name decides. Type a name first.')
})
