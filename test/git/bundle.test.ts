import assert from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import {writeBundle} from '../../git/bundle.ts'
import {createRepository, temporaryFolder, testRepository} from '../lake/support/git.ts'

test('a bundle names the commit that its branch has, whatever HEAD named when Git read it', async (t) => {
  const folder = await temporaryFolder(t)
  const directory = join(folder, 'content.git')
  await createRepository(directory)
  const {commit, git} = testRepository(directory)
  const earlier = await commit({'note/a.json': {_id: 'a', _type: 'note', name: 'earlier'}})
  const later = await commit({'note/a.json': {_id: 'a', _type: 'note'}})
  await git('update-ref', '--no-deref', 'HEAD', earlier)
  assert.equal(await writeBundle(directory, 'refs/heads/main', join(folder, 'content.bundle')), later)
})
