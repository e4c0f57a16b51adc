import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {QUICK, type Replica, runHouse} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

const paths = [undefined, '/', '/contact', '/products', '/products/7']

const documents = [
  siteDocument(),
  toolDocument(),
  toolDocument({_id: 'product', name: 'getProduct', pathPattern: '/products/*'}),
  formToolDocument(),
]

/** Status, tag and body of each path. */
async function answersOf({config}: Replica): Promise<string> {
  const answers = await Promise.all(
    paths.map(async (path) => {
      const response = await config('shop-public', path)
      return `${response.status} ${response.headers.get('etag')} ${await response.text()}`
    }),
  )
  return answers.join('\n')
}

test('two services in front of one lake agree on every tag and body after each change', async (t) => {
  const house = await runHouse(t, documents, {}, QUICK)
  const other = await house.replica({SNAPSHOT_DIR: `${house.snapshotDir}/other`})
  const seen = new Set<string>()
  const agreed = async () => {
    const answers = await eventually(
      async () => ({one: await answersOf(house), two: await answersOf(other)}),
      ({one, two}) => one === two && !seen.has(one),
    )
    seen.add(answers.one)
  }
  await agreed()
  await house.repository.commit([toolDocument({description: 'Changed.'})])
  await agreed()
  await house.repository.commit([toolDocument({description: 'Changed.', pathPattern: '/products'})])
  await agreed()
  await house.repository.remove([formToolDocument()])
  await agreed()
  await house.repository.commit([siteDocument({pollInterval: 60})])
  await agreed()
  assert.equal(seen.size, 5)
})

test('a service that starts without the lake serves the same bodies and tags as the one before it', async (t) => {
  const house = await runHouse(t, documents, {}, QUICK)
  const before = await house.replica()
  const answers = await answersOf(before)
  await before.close()
  await house.network.unplug()
  const cold = await house.replica()
  assert.equal(await answersOf(cold), answers)
  assert.equal((await cold.config('never-asked-for')).status, 500)

  await house.repository.commit([toolDocument({description: 'Changed.'})])
  await house.network.plug()
  await eventually(async () => (await cold.config('shop-public')).text(), /Changed\./)
})
