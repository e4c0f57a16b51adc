import assert from 'node:assert/strict'
import {test} from 'node:test'
import {DraftsThread} from '../../../service/preview/drafts/thread.ts'

test('a question that comes after the end of the service starts no thread', async () => {
  const before = process.getActiveResourcesInfo().sort()
  const settings = {
    projectId: 'local',
    dataset: 'production',
    apiHost: 'http://127.0.0.1:1',
    apiToken: 'a',
    serviceTokenFile: undefined,
  }
  const thread = new DraftsThread({settings, maxSiteBytes: 1_000, maxHeapMb: 64, onEnd: assert.fail})
  await thread.close()
  const question = {kind: 'page', publicId: 'shop', path: '/'} as const
  await assert.rejects(thread.ask(question), /The service is stopping/)
  assert.deepEqual(process.getActiveResourcesInfo().sort(), before)
})
