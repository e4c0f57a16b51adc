import {deepEqual, equal} from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import {ask} from '../support/app.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

const answers: [string, unknown][] = [
  ['/ping', {status: 'ok'}],
  ['/data/ping/production', {status: 'ok'}],
  ['/journey/trial?studioVersion=6.16.0', null],
  ['/help?m=sanity@6.16.0', {resources: {sectionArray: []}}],
  ['/intake/telemetry-status', {status: 'denied'}],
  ['/features', ['contentReleases', 'singleDocRelease']],
  ['/subscriptions/project/local', null],
  ['/projects/local/grants', {}],
  ['/projects/local/datasets?datasetProfile=comments&addonFor=production', []],
  ['/projects/local/user-applications', []],
  ['/users/me/keyvalue/studio.layout,studio.order', []],
  ['/data/references/production/documents/a/to?excludePaths=true', {totalCount: 0, references: []}],
]

test('Studio’s requests to services that a lake lacks return empty results without an error', async (t) => {
  const {address} = await runLake(t, {}, {studioDir: join(await temporaryFolder(t), 'studio')})
  for (const [path, expected] of answers) {
    const {status, body} = await ask(address, path)
    deepEqual([status, body], [200, expected], path)
  }
  const pairs = JSON.stringify([{key: 'studio.layout', value: 'compact'}])
  const headers = {'content-type': 'application/json'}
  const put = await ask(address, '/users/me/keyvalue', {method: 'PUT', body: pairs, headers})
  deepEqual([put.status, put.body], [200, [{key: 'studio.layout', value: 'compact'}]])
  const large = JSON.stringify([{key: 'studio.layout', value: 'x'.repeat(16 * 1024)}])
  equal((await ask(address, '/users/me/keyvalue', {method: 'PUT', body: large, headers})).status, 413)
})
