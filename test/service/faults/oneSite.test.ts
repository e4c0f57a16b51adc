import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {ageOf, recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse} from '../../support/house.ts'
import type {Fault} from '../../support/network/network.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const BAD = 'bad-site'

function answer(status: number, body: string, contentType = 'application/json'): Fault {
  return {kind: 'answer', status, contentType, body}
}

const TOO_LARGE = answer(
  400,
  JSON.stringify({error: {type: 'queryParseError', description: 'the response is too large'}}),
)

async function houseFor(t: TestContext): Promise<House> {
  const documents = [BAD, 'warm-site', 'cold-site'].flatMap((publicId) => [
    siteDocument({_id: publicId, publicId}),
    toolDocument({_id: `tool-of-${publicId}`, site: {_ref: publicId, _type: 'reference'}}),
  ])
  return runHouse(t, documents)
}

/** Makes the network break only queries for the bad site. */
function breakBadSite(house: House, fault: Fault): void {
  house.network.fault = (url) => (decodeURIComponent(url).includes(BAD) ? fault : {kind: 'none'})
}

async function readiness(house: House): Promise<Record<string, unknown>> {
  return recordOf(await (await fetch(`${house.serviceAddress}/readyz`)).json())
}

// Which other responses concern one site only: upstream/troubles.test.ts.
test('a result that is too large for one site leaves all others fresh, and this one on its last known good config', async (t) => {
  const house = await houseFor(t)
  const good = await (await house.config(BAD)).text()
  await house.config('warm-site')
  breakBadSite(house, TOO_LARGE)
  for (let attempt = 0; attempt < 5; attempt++) {
    house.pass(120)
    const response = await house.config(BAD)
    assert.equal(await response.text(), good)
    assert.ok(ageOf(response) >= 120 * (attempt + 1), `Age: ${ageOf(response)}`)
  }
  assert.equal((await house.config('cold-site')).status, 200)
  await eventually(
    async () => ageOf(await house.config('warm-site')),
    (age) => age < 10,
  )
  await house.config('cold-site')
  const {status, sites} = await readiness(house)
  assert.deepEqual([status, recordOf(sites).failing], ['ready', 1])

  const told = house.lines.filter(({publicId, reason}) => publicId === BAD && reason !== undefined)
  assert.equal(told.length, 1, 'the log names the site once')
  assert.match(String(told[0]?.msg), /cannot refresh site "bad-site"/)
  assert.match(String(told[0]?.reason), /larger than .* limit.*Remove tools/)

  house.network.fault = {kind: 'none'}
  house.pass(120)
  await eventually(
    async () => ageOf(await house.config(BAD)),
    (age) => age < 10,
  )
  assert.ok(house.lines.some(({msg}) => msg === 'site "bad-site" refreshes again'))
  assert.equal(recordOf((await readiness(house)).sites).failing, 0)
})
