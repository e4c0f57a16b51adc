import assert from 'node:assert/strict'
import {test} from 'node:test'
import {titleOf, wordsOf} from '../../../../schemas/rules/names/toolName.ts'

const NAMES: [name: string, words: string, title: string][] = [
  ['getURLInfo', 'get URL Info', 'Get URL Info'],
  ['URLLookup', 'URL Lookup', 'URL Lookup'],
  ['check_out', 'check out', 'Check Out'],
  ['check-out', 'check out', 'Check Out'],
  ['orders.search', 'orders search', 'Orders Search'],
  ['PlaceOrder', 'Place Order', 'Place Order'],
  ['getURLs', 'get URLs', 'Get URLs'],
  ['getIDsByName', 'get IDs By Name', 'Get IDs By Name'],
  ['getAPage', 'get A Page', 'Get A Page'],
  ['getTop10Products', 'get Top 10 Products', 'Get Top 10 Products'],
  ['get3DModel', 'get 3D Model', 'Get 3D Model'],
  ['convertToMP3', 'convert To MP3', 'Convert To MP3'],
  ['addToCartV2', 'add To Cart V2', 'Add To Cart V2'],
  ['HTTP2Server', 'HTTP2 Server', 'HTTP2 Server'],
  ['B2BOrders', 'B2B Orders', 'B2B Orders'],
  ['2ndChance', '2nd Chance', '2nd Chance'],
  ['GET_ORDERS', 'GET ORDERS', 'GET ORDERS'],
  ['__x--y..z', 'x y z', 'X Y Z'],
  ['caféÖffnen', 'café Öffnen', 'Café Öffnen'],
  ['html5Video', 'html 5 Video', 'Html 5 Video'],
  ['---', '', '---'],
  ['', '', ''],
]
for (const [name, words, title] of NAMES) {
  test(`the words of "${name}" are "${words}", and its title is "${title}"`, () => {
    assert.equal(wordsOf(name).join(' '), words)
    assert.equal(titleOf(name), title)
  })
}
