import assert from 'node:assert/strict'
import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {inflateRawSync} from 'node:zlib'
import {ReplicaDatabase} from '../../../service/database.ts'
import {recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {bodyOf, codeFor, exchange, preview, runPreviewHouse} from './support.ts'

const PATHS = ['/', '/cart', '/contact']

/** What a visitor receives for each page, in each encoding: all that does not depend on the time. */
async function visited(house: House): Promise<unknown[]> {
  const answers = []
  for (const path of PATHS) {
    for (const encoding of ['identity', 'br']) {
      const response = await house.config('shop-public', path, {headers: {'accept-encoding': encoding}})
      const {date: _date, age: _age, ...headers} = Object.fromEntries(response.headers)
      answers.push([path, response.status, headers, await response.text()])
    }
  }
  return answers
}

/** All files of a folder and its compressed snapshots, as text. */
async function textsIn(folder: string): Promise<string> {
  const names = await readdir(folder, {recursive: true, withFileTypes: true})
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1'))
  const database = new ReplicaDatabase(join(folder, 'counts.db'))
  const documents = database.rows('SELECT document FROM snapshots').map(({document}) => {
    assert.ok(document instanceof Uint8Array)
    return inflateRawSync(document).toString()
  })
  database.close()
  return [...(await Promise.all(files)), ...documents].join('\n')
}

test('visitors get the same bytes before, during and after a preview, and nothing keeps anything of it', async (t) => {
  const house = await runPreviewHouse(t, [
    siteDocument(),
    toolDocument({description: 'Searches. '.repeat(200)}),
    formToolDocument(),
  ])
  await visited(house)
  // Encodings are made in the background of the first request.
  const before = await eventually(
    () => visited(house),
    (answers) => JSON.stringify(answers).split('"content-encoding":"br"').length === PATHS.length + 1,
  )

  const draft = {
    ...toolDocument(),
    _id: 'drafts.search',
    description: 'Unheard-of words.',
    executeJs: 'return "zanzibar"',
  }
  await house.client.createOrReplace(draft)
  await house.client.createOrReplace({
    ...siteDocument(),
    _id: 'drafts.shop',
    pollInterval: 11,
    enabled: false,
  })
  const code = await codeFor(house)
  const {token} = recordOf(await (await exchange(house, code)).json())
  await house.client.createOrReplace({...siteDocument(), _id: 'drafts.shop', pollInterval: 12})
  const shown = await eventually(
    async () => {
      const response = await preview(house, String(token))
      // A busy machine may be too slow for the first one.
      return response.status === 500 ? undefined : bodyOf(response)
    },
    (body) => body?.text.includes('zanzibar') === true,
  )
  assert.match(shown?.text ?? '', /Unheard-of words/)
  const [module] = Object.values(recordOf(shown?.members.modules)).map(String)
  assert.equal((await fetch(`${house.serviceAddress}/${module}`)).status, 200)
  const [, ticket = ''] = /scripts\/([^/]+)\//.exec(module ?? '') ?? []
  assert.deepEqual(await visited(house), before)

  // Failures are logged, and must not say more.
  house.network.fault = {kind: 'refuse'}
  const failing = await eventually(
    () => preview(house, String(token)),
    ({status}) => status === 500,
  )
  assert.match(failing.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await preview(house, String(token))).status, 500)
  const told = house.lines.filter(({msg}) => msg === 'cannot read drafts for a preview')
  assert.equal(told.length, 1, 'once a minute')
  assert.deepEqual(await visited(house), before)
  house.network.fault = {kind: 'none'}
  await eventually(async () => (await preview(house, String(token))).status, 200)
  await exchange(house, `${code}x`)
  await house.client.delete({query: '*[_type == "sanity.previewUrlSecret"]'})
  await eventually(async () => (await preview(house, String(token))).status, 401)
  assert.deepEqual(await visited(house), before)

  // A publish writes the snapshot again, while the draft is still there.
  await house.client.patch('contact').set({description: 'Published.'}).commit()
  const kept = () => textsIn(house.snapshotDir)
  await eventually(kept, /Published\./)
  const places = {
    log: JSON.stringify(house.lines),
    metrics: await (await fetch(`${house.serviceAddress}/metrics`)).text(),
    snapshots: await kept(),
    'URLs of upstream': house.network.exchanges.map(({url}) => decodeURIComponent(url)).join('\n'),
    visitors: JSON.stringify(await visited(house)),
  }
  for (const [place, found] of Object.entries(places)) {
    assert.ok(found.length > 0, place)
    for (const hidden of ['Unheard-of', 'zanzibar', code, String(token), ticket])
      assert.ok(!found.includes(hidden), `${hidden} is in the ${place}`)
  }
})
