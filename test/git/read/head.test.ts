import {equal} from 'node:assert/strict'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {readHead} from '../../../git/read/commits.ts'
import {createRepository, temporaryFolder, testRepository} from '../../lake/support/git.ts'

test('HEAD of a branch that gets its first commit meanwhile is that commit', async (t) => {
  const folder = await temporaryFolder(t)
  const repository = testRepository(join(folder, 'content'))
  await createRepository(repository.directory)
  equal(await readHead(repository.directory), undefined)
  const tree = (await repository.git('hash-object', '-t', 'tree', '-w', '/dev/null')).trim()
  const commit = (await repository.git('commit-tree', tree, '-m', 'First')).trim()

  // Git, which looks for HEAD right before the commit is published.
  const {PATH = ''} = process.env
  t.after(() => {
    process.env.PATH = PATH
  })
  const publish = `PATH='${PATH}' git -C ${repository.directory} update-ref refs/heads/main ${commit} ''`
  const script = `case "$*" in *rev-parse*) ${publish} && exit 1;; esac\nPATH='${PATH}' exec git "$@"\n`
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/git'), `#!/bin/sh\n${script}`, {mode: 0o755})
  process.env.PATH = `${join(folder, 'bin')}:${PATH}`
  equal(await readHead(repository.directory), commit)
})
