import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {errorText, hashText} from '../../../schemas/calls/errorText.ts'
import {errorOf, recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {reportsCodeFor, startPreviewHouse} from '../preview/support.ts'

const OTHER = {_type: 'reference', _ref: 'other'}
const documents = [
  siteDocument({reportCalls: true}),
  toolDocument({
    _id: 'cart',
    name: 'addToCart',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the script
    executeJs: 'if (!args.id) throw new Error(`No product ${args.id} in ${3} shops`); return shop.add(args)',
  }),
  formToolDocument({_id: 'contact', name: 'contactUs'}),
  siteDocument({_id: 'other', publicId: 'other-shop'}),
  toolDocument({_id: 'search', name: 'searchProducts', site: OTHER}),
]

describe('reported calls', {concurrency: false}, () => {
  let house: House
  let code: string

  before(async () => {
    house = await startPreviewHouse(documents)
    code = await reportsCodeFor(house)
  })
  after(() => house.close())

  const urlOf = (publicId: string, address = house.serviceAddress) => `${address}/api/sites/${publicId}/calls`
  const report = (calls: unknown, publicId = 'shop-public', address = house.serviceAddress) =>
    fetch(urlOf(publicId, address), {method: 'POST', body: JSON.stringify({calls})})
  const ask = (bearer: string, publicId = 'shop-public', query = '') =>
    fetch(urlOf(publicId) + query, {headers: {authorization: `Bearer ${bearer}`}})

  async function counts(query = ''): Promise<Record<string, unknown>> {
    const response = await ask(code, 'shop-public', query)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    return recordOf(await response.json())
  }

  test('a site that does not count calls accepts none', async () => {
    assert.deepEqual(await errorOf(report([['searchProducts', 'ok', 0, 1]], 'other-shop')), {
      code: 'NOT_FOUND',
      message: 'This site does not count calls.',
      status: 404,
    })
    const [tool] = JSON.parse(await (await house.config('other-shop', '/')).text()).tools
    assert.equal('reportCalls' in tool, false)
    const other = await reportsCodeFor(house, 'other-shop')
    assert.equal(recordOf(await (await ask(other, 'other-shop')).json()).isOn, false)
  })

  test('its tools and form tools say that pages report', async () => {
    const {tools, formTools} = JSON.parse(await (await house.config('shop-public')).text())
    assert.deepEqual([tools[0].reportCalls, formTools[0].reportCalls], ['on', 'on'])
  })

  test('calls are summed by tool, hour, outcome and duration, and other names are ignored', async () => {
    const rows = [
      ['addToCart', 'ok', 2, 3],
      ['addToCart', 'ok', 9, 1],
      ['contactUs', 'cancelled', 0, 1],
      ['searchProducts', 'ok', 0, 5],
    ]
    for (let time = 0; time < 2; time++) {
      const response = await report(rows)
      assert.equal(response.status, 204)
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
    }
    const {now, isOn, hours, errors} = await counts()
    const hour = `${String(now).slice(0, 13)}:00:00Z`
    assert.deepEqual([isOn, errors], [true, []])
    assert.deepEqual(
      [hours].flat().sort((a, b) => (String(recordOf(a).tool) < String(recordOf(b).tool) ? -1 : 1)),
      [
        {hour, tool: 'cart', outcome: 'ok', durations: [0, 0, 6, 0, 0, 0, 0, 0, 0, 2]},
        {hour, tool: 'contact', outcome: 'cancelled', durations: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0]},
      ],
    )
    const metrics = await (await fetch(`${house.serviceAddress}/metrics`)).text()
    assert.match(metrics, /^handrail_calls_total\{outcome="ok"\} 8$/m)
    assert.doesNotMatch(metrics, /addToCart/)
  })

  test('an error has a text if it is in the script and five calls had it', async () => {
    const known = hashText(errorText('No product 77 in 3 shops'))
    const missing = hashText(errorText("Cannot read properties of undefined (reading 'add')"))
    const foreign = hashText(errorText('Ann Miller owes 3 €'))
    const send = (hash: string, count: number) => report([['addToCart', 'error', 1, count, hash]])
    await send(known, 4)
    await send(missing, 5)
    await send(foreign, 9)
    const textOf = async (hash: string) => {
      const found = [(await counts()).errors].flat().map(recordOf)
      return found.find((error) => error.hash === hash)
    }
    assert.equal((await textOf(known))?.text, undefined, 'four calls had it')
    await send(known, 1)
    const {lastHour, ...error} = recordOf(await textOf(known))
    assert.deepEqual(error, {tool: 'cart', hash: known, text: 'No product # in # shops', count: 5})
    assert.match(String(lastHour), /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/)
    assert.equal((await textOf(missing))?.text, "Cannot read properties of undefined (reading 'add')")
    assert.equal((await textOf(foreign))?.text, undefined, 'it is not in the script')
  })

  test('malformed and large reports are refused, with what is wrong', async () => {
    const refused: [body: string, message: RegExp][] = [
      ['calls', /must be JSON like/],
      ['{"calls": {}}', /must be JSON like/],
      [JSON.stringify({calls: Array(101).fill(['addToCart', 'ok', 0, 1])}), /more than 100 rows/],
      ['{"calls": [["addToCart", "ok", 0, 1], ["addToCart", "fine", 0, 1]]}', /row 2 .* an outcome/],
      ['{"calls": [["addToCart", "ok", 10, 1]]}', /a bucket from 0 to 9/],
      ['{"calls": [["addToCart", "ok", 0, 201]]}', /a number from 1 to 200/],
      [JSON.stringify({calls: Array(3).fill(['addToCart', 'ok', 0, 67])}), /more than 200 calls together/],
      ['{"calls": [["addToCart", "ok", 0, 1, "0123456789abcdef"]]}', /for errors a hash/],
      ['{"calls": [["addToCart", "error", 0, 1, "a text"]]}', /for errors a hash/],
      [`{"calls": [${' '.repeat(8_192)}]}`, /too large/],
    ]
    for (const [body, message] of refused) {
      const {code, message: said} = await errorOf(fetch(urlOf('shop-public'), {method: 'POST', body}))
      assert.equal(code, 'BAD_REQUEST')
      assert.match(String(said), message)
    }
    const {code: asJson} = await errorOf(
      fetch(urlOf('shop-public'), {
        method: 'POST',
        body: '{"calls": []}',
        headers: {'content-type': 'application/json'},
      }),
    )
    assert.equal(asJson, 'BAD_REQUEST')
    assert.equal((await errorOf(report([], 'no-such-site'))).code, 'NOT_FOUND')
  })

  test('who may read the site may read its calls, of up to 396 days', async () => {
    for (const bearer of ['', 'a-code-that-was-guessed'])
      assert.equal((await errorOf(ask(bearer))).code, 'PREVIEW_ENDED')
    assert.equal((await errorOf(ask(code, 'other-shop'))).code, 'PREVIEW_ENDED')
    for (const days of ['0', '397', 'x']) {
      const refused = await errorOf(ask(code, 'shop-public', `?days=${days}`))
      assert.match(String(refused.message), /"days" must be a number from 1 to 396/)
    }
    assert.equal([(await counts('?days=396')).hours].flat().length, 3)
  })

  test('calls are known after a restart, and those of other content are not', async () => {
    const environment = {SNAPSHOT_DIR: `${house.snapshotDir}/restarted`}
    const first = await house.replica(environment)
    await report([['addToCart', 'ok', 0, 1]], 'shop-public', first.serviceAddress)
    await first.close()
    const second = await house.replica(environment)
    const response = await fetch(urlOf('shop-public', second.serviceAddress), {
      headers: {authorization: `Bearer ${code}`},
    })
    assert.equal([recordOf(await response.json()).hours].flat().length, 1)
  })

  test('reports have a limit of their own', async () => {
    const limited = await house.replica({
      SNAPSHOT_DIR: `${house.snapshotDir}/limited`,
      RATE_LIMIT_MAX: '10',
    })
    const send = () => report([['addToCart', 'ok', 0, 1]], 'shop-public', limited.serviceAddress)
    assert.deepEqual([(await send()).status, (await send()).status], [204, 204])
    const refused = await send()
    assert.equal(refused.status, 429)
    assert.match(String(refused.headers.get('retry-after')), /^\d+$/)
    assert.equal((await limited.config('shop-public', '/')).status, 200)
  })

  test('a site that switches counting off accepts no more', async () => {
    await house.client.createOrReplace(siteDocument({reportCalls: false}))
    await eventually(async () => (await report([['addToCart', 'ok', 0, 1]])).status, 404)
    assert.equal((await counts()).isOn, false)
  })
})
