import assert from 'node:assert/strict'
import {join} from 'node:path'
import {describe, test} from 'node:test'
import {readServiceToken} from '../../common/serviceToken.ts'
import {writeImage} from '../../deploy/packages/image.ts'
import {buildSnippet} from '../../snippet/build/build.ts'
import {temporaryFolder} from '../lake/support/git.ts'
import {recordOf} from '../support/answers.ts'
import {eventually} from '../support/eventually.ts'
import {trialToken} from '../support/trialToken.ts'
import {readStage} from './support/dockerfile.ts'
import {runImage} from './support/image.ts'
import {bringStudio} from './support/studio.ts'

/** Seconds for a start on a busy machine. */
const START = 60

describe('the images', () => {
  test('service: runs from its own files alone, is healthy, and exits with 0', async (t) => {
    const originTrialToken = trialToken({})
    const image = await runImage(
      t,
      await readStage('service'),
      'PORT',
      {
        SNAPSHOT_DIR: join(await temporaryFolder(t), 'snapshots'),
        SANITY_API_HOST: 'http://127.0.0.1:1',
        WEBMCP_ORIGIN_TRIAL_TOKEN: originTrialToken,
        // It would fail, if the service compiled anything.
        ESBUILD_BINARY_PATH: '/nonexistent',
      },
      {compiled: (root) => writeImage('service', root)},
    )
    await eventually(image.checkHealth, 0, START).catch(() => assert.fail(image.said()))
    const ready = await fetch(`${image.address}/readyz`)
    assert.equal(ready.status, 503, 'without a lake')
    const snippet = await fetch(`${image.address}/snippet.js`)
    assert.equal(await snippet.text(), (await buildSnippet({originTrialToken})).text)
    assert.equal(await image.stop(), 0)
    assert.equal(await image.checkHealth(), 1)
  })

  test('lake: runs from its own files alone, is healthy, begins without documents, serves Studio, and exits with 0', async (t) => {
    const dir = await temporaryFolder(t)
    const image = await runImage(
      t,
      await readStage('lake'),
      'LAKE_PORT',
      {CONTENT_DIR: join(dir, 'content')},
      {compiled: (root) => writeImage('lake', root), studio: bringStudio},
    )
    await eventually(image.checkHealth, 0, START).catch(() => assert.fail(image.said()))
    const query = encodeURIComponent('count(*[_type == "tool"])')
    const url = `${image.address}/v2025-02-19/data/query/production?query=${query}`
    assert.equal((await fetch(url)).status, 401)
    const headers = {
      authorization: `Bearer ${await readServiceToken(join(dir, 'content/handrail/service-token'))}`,
    }
    const answer = await fetch(url, {headers})
    assert.equal(recordOf(await answer.json()).result, 0)
    const studio = await fetch(image.address, {headers: {accept: 'text/html'}})
    assert.match(await studio.text(), /A Studio/)
    assert.equal(await image.stop(), 0)
    assert.equal(await image.checkHealth(), 1)
  })
})
