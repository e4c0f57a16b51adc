import assert from 'node:assert/strict'
import {test} from 'node:test'
import {commitFiles} from '../../../cli/import/commitFiles.ts'
import {moveBranch} from '../../../cli/import/moveBranch.ts'
import {temporaryRepository} from '../../lake/support/git.ts'

test('a commit during an import stops it', async (t) => {
  const repository = await temporaryRepository(t)
  const {directory: root} = repository
  await repository.commit({'page/zero.json': '{}'})
  const parent = (await repository.git('rev-parse', 'HEAD')).trim()
  const committer = 'A <a@example.com> 1000 +0000'
  const made = await commitFiles(root, new Map([['a', 'b']]), {parent, message: 'Import\n', committer})
  await repository.commit({'page/other.json': '{}'})
  const head = await repository.git('rev-parse', 'HEAD')
  await assert.rejects(moveBranch({root, isBare: true}, parent, made), /got a commit during the import/)
  assert.equal(await repository.git('rev-parse', 'HEAD'), head)
})
