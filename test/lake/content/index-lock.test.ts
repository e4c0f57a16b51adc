import {equal, rejects} from 'node:assert/strict'
import {rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {temporaryRepository} from '../support/git.ts'
import {publisherAt, toolText} from '../support/publisher.ts'

test("a moment's lock of a person is waited for, so that their next commit takes nothing back", async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'old')})
  const {publish, head} = await publisherAt(context, repository)
  const before = await head()
  // As `git add` holds it.
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  const publishing = publish({'tool/a.json': toolText('a', 'new')})
  await setTimeout(100)
  equal(await head(), before)
  await rm(lock)
  const {commit} = await publishing
  const committing = repository.git('commit', '--quiet', '--message', 'What was staged')
  await rejects(committing, /index\.lock|nothing to commit/)
  equal(await head(), commit)
})

test('a start after a crash lets nobody commit the index before it has followed HEAD', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'old'), 'memo/m.json': '{}'})
  const first = await publisherAt(context, repository)
  const {commit} = await first.publish({'tool/a.json': toolText('a', 'new')})
  await first.publisher.close()
  // HEAD has moved, and nothing has followed.
  await repository.git('read-tree', 'HEAD~1')
  await repository.write('tool/a.json', toolText('a', 'old'))
  await repository.write('memo/m.json', '{"mine": true}')
  const entry = async (name: string) => ({
    mode: '100644',
    id: (await repository.git('rev-parse', name)).trim(),
  })
  const paths = {'tool/a.json': [await entry('HEAD~1:tool/a.json'), await entry('HEAD:tool/a.json')]}
  const git = join(repository.directory, '.git')
  await writeFile(join(git, 'handrail/behind.json'), JSON.stringify({version: 1, paths}))
  await writeFile(join(git, 'index.lock'), 'held by handrail\n')
  // The lock of a Git process that was killed: the start waits whether it is given back.
  await writeFile(join(git, 'HEAD.lock'), '')
  const starting = publisherAt(context, repository)
  const mine = ['commit', '--quiet', '--all', '--message', 'Mine']
  const commitSoon = (): Promise<string> =>
    repository.git(...mine).catch(() => setTimeout(5).then(commitSoon))
  await Promise.all([starting, commitSoon()])
  equal(await repository.git('rev-parse', 'HEAD~1'), `${commit}\n`)
  equal(await repository.git('show', 'HEAD:tool/a.json'), toolText('a', 'new'))
  equal(await repository.git('status', '--porcelain'), '')
})
