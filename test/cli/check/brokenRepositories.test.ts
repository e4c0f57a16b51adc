import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, test} from 'node:test'
import {check, type Report} from '../../../cli/check/check.ts'
import {readRevision} from '../../../cli/source/gitFiles.ts'
import {readWorkTree} from '../../../cli/source/workTree.ts'
import {testRepository} from '../../lake/support/git.ts'
import type {BrokenRepository} from '../../support/brokenRepositories/brokenRepository.ts'
import {commitBroken} from '../../support/brokenRepositories/commit.ts'
import {BROKEN_REPOSITORIES} from '../../support/brokenRepositories/repositories.ts'

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'handrail-check-'))
  await testRepository(directory).git('init', '--quiet', '--initial-branch=main')
})
after(() => rm(directory, {recursive: true, force: true}))

test('a repository without mistakes has no findings', async () => {
  await commitBroken(directory, {name: '', files: {}, findings: [], remedy: /./}, 'good')
  const report = await check(await readRevision(directory, 'good', {}))
  assert.deepEqual(report, {documents: 3, findings: []})
})

for (const [number, repository] of BROKEN_REPOSITORIES.entries()) {
  test(`finds ${repository.name}`, async () => {
    const branch = `broken-${number}`
    await commitBroken(directory, repository, branch)
    assertFound(await check(await readRevision(directory, branch, {})), repository)
  })
}

test('a work tree has the same findings as the commit', async () => {
  const {git} = testRepository(directory)
  for (const [number, repository] of BROKEN_REPOSITORIES.entries()) {
    await git('checkout', '--quiet', '--force', `broken-${number}`)
    await git('clean', '-fdq')
    assertFound(await check(await readWorkTree(directory)), repository)
  }
})

function assertFound(
  {findings}: Report,
  {name, findings: expected, remedy, unserved = []}: BrokenRepository,
) {
  const found = findings.map(({code, path, line}) => (line === undefined ? [code, path] : [code, path, line]))
  assert.deepEqual(found, expected, name)
  assert.ok(
    findings.some(({message}) => remedy.test(message)),
    `${name}: ${findings.map(({message}) => message).join(' ')}`,
  )
  for (const document of unserved) {
    const isFound = findings.some(
      ({path, severity}) => severity === 'error' && path.startsWith(`${document}.`),
    )
    assert.ok(isFound, `${name}: ${document} is not served, and no error says so`)
  }
}
