import assert from 'node:assert/strict'
import {test} from 'node:test'
import {check} from '../../../cli/check/check.ts'
import {assertFound} from '../../support/brokenRepositories/assertFound.ts'
import {GOOD_FILES} from '../../support/brokenRepositories/documents.ts'
import {BROKEN_REPOSITORIES} from '../../support/brokenRepositories/repositories.ts'
import {sourceFrom} from '../../support/brokenRepositories/source.ts'

test('a repository without mistakes has no findings', async () => {
  assert.deepEqual(await check(sourceFrom(GOOD_FILES)), {documents: 3, findings: []})
})

for (const repository of BROKEN_REPOSITORIES) {
  test(`finds ${repository.name}`, async () => {
    assertFound(await check(sourceFrom({...GOOD_FILES, ...repository.files})), repository)
  })
}
