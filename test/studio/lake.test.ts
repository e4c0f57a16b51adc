import {equal} from 'node:assert/strict'
import {test} from 'node:test'

test('Sanity’s command line, which imitates a browser, keeps its fetch', async (t) => {
  const {fetch} = globalThis
  const location = {origin: 'http://localhost:3333'}
  Object.defineProperty(globalThis, 'location', {value: location, configurable: true})
  t.after(() => Reflect.deleteProperty(globalThis, 'location'))
  // Its types need those of browsers, which this program does not have.
  const {lakeOptions} = await import(new URL('../../studio/lake.ts', import.meta.url).href)
  equal(lakeOptions('/', 'local', []).apiHost, location.origin)
  equal(globalThis.fetch, fetch)
})
