import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, test} from 'node:test'
import {check} from '../../../cli/check/check.ts'
import {readRevision} from '../../../cli/source/gitFiles.ts'
import {readWorkTree} from '../../../cli/source/workTree.ts'
import {testRepository} from '../../lake/support/git.ts'
import {assertFound} from '../../support/brokenRepositories/assertFound.ts'
import {commitBroken} from '../../support/brokenRepositories/commit.ts'
import {BROKEN_FILES} from '../../support/brokenRepositories/files.ts'

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'handrail-check-'))
  await testRepository(directory).git('init', '--quiet', '--initial-branch=main')
})
after(() => rm(directory, {recursive: true, force: true}))

for (const [number, repository] of BROKEN_FILES.entries()) {
  test(`finds in a commit ${repository.name}`, async () => {
    const branch = `broken-${number}`
    await commitBroken(directory, repository, branch)
    assertFound(await check(await readRevision(directory, branch, {})), repository)
  })
}

test('a work tree has the same findings as the commit', async () => {
  const {git} = testRepository(directory)
  for (const [number, repository] of BROKEN_FILES.entries()) {
    await git('checkout', '--quiet', '--force', `broken-${number}`)
    await git('clean', '-fdq')
    assertFound(await check(await readWorkTree(directory)), repository)
  }
})
