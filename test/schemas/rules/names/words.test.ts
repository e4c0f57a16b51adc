import assert from 'node:assert/strict'
import {test} from 'node:test'
import {wordsOf} from '../../../../schemas/rules/names/words.ts'

const NAMES: [name: string, words: string][] = [
  ['getURLInfo', 'get URL Info'],
  ['URLLookup', 'URL Lookup'],
  ['check_out', 'check out'],
  ['check-out', 'check out'],
  ['orders.search', 'orders search'],
  ['PlaceOrder', 'Place Order'],
  ['getURLs', 'get URLs'],
  ['getIDsByName', 'get IDs By Name'],
  ['getAPage', 'get A Page'],
  ['getTop10Products', 'get Top 10 Products'],
  ['get3DModel', 'get 3D Model'],
  ['convertToMP3', 'convert To MP3'],
  ['addToCartV2', 'add To Cart V2'],
  ['HTTP2Server', 'HTTP2 Server'],
  ['B2BOrders', 'B2B Orders'],
  ['2ndChance', '2nd Chance'],
  ['GET_ORDERS', 'GET ORDERS'],
  ['__x--y..z', 'x y z'],
  ['caféÖffnen', 'café Öffnen'],
  ['---', ''],
  ['', ''],
]
for (const [name, words] of NAMES) {
  test(`the words of "${name}" are "${words}"`, () => {
    assert.equal(wordsOf(name).join(' '), words)
  })
}
