import assert from 'node:assert/strict'
import {test} from 'node:test'
import {openContentDirectory} from '../../../../git/openContentDirectory.ts'
import {ReviewBranches} from '../../../../lake/write/reviewBranches.ts'
import {
  REVIEW_TYPE,
  reviewBranchOf,
  reviewIdOf,
} from '../../../../lake/write/transaction/review/reviewRequest.ts'
import {eventually} from '../../../support/eventually.ts'
import {storeOf} from '../../support/documents.ts'
import {recordingLogger} from '../../support/log.ts'
import {trio} from '../../support/remote.ts'

test('a review whose branch the Git host twice does not have says that it was deleted', async (t) => {
  const {repository, remote, pusher} = await trio(t)
  const id = reviewIdOf('tool-a')
  const branch = reviewBranchOf(id)
  const review = {
    _id: id,
    _type: REVIEW_TYPE,
    document: 'tool-a',
    state: 'open',
    before: null,
    after: 'x',
    branch,
  }
  const message = 'Publish tool a\n\nReview: none..x'
  const commit = (await repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', message)).trim()
  const said: string[] = []
  const branches = new ReviewBranches({
    folder: await openContentDirectory(repository.directory),
    remote: pusher,
    store: storeOf(review),
    propose: async () => commit,
    dropBranch: async (_review, text) => {
      said.push(text)
    },
    logger: recordingLogger().logger,
  })
  t.after(() => branches.close())
  branches.start()
  const pushed = () => remote.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`)
  await eventually(async () => (await pushed()).trim(), commit)
  await branches.look()
  await remote.git('update-ref', '-d', `refs/heads/${branch}`)
  await branches.look()
  assert.deepEqual(said, [])
  await branches.look()
  assert.match(said.join(), /^The branch of this review was deleted at the Git host/)
})
