import {deepEqual, equal, rejects} from 'node:assert/strict'
import {test} from 'node:test'
import {readCommits} from '../../../content/history/readCommits.ts'
import {splitFields} from '../../../git/process.ts'
import {listTree} from '../../../git/read/trees.ts'
import {temporaryRepository, temporaryWorkTree} from '../../lake/support/git.ts'

test('of a long field, the beginning is kept, whatever the chunks', () => {
  const fields: string[] = []
  const take = splitFields((field) => fields.push(field))
  for (const chunk of ['a\0', 'x'.repeat(70_000), 'x'.repeat(70_000), `\0${'y'.repeat(70_000)}\0b\0`])
    take(Buffer.from(chunk))
  deepEqual(
    fields.map((field) => `${field[0]} ${field.length}`),
    ['a 1', 'x 65536', 'y 65536', 'b 1'],
  )
})

test('a commit with too many files is refused', async (t) => {
  const repository = await temporaryRepository(t)
  const commit = await repository.commit({'post/a.json': '{}', 'post/b.json': '{}', 'notes.txt': ''})
  const isContent = (path: string) => path.startsWith('post/')
  equal((await listTree(repository.directory, commit, isContent, 2)).size, 2)
  await rejects(listTree(repository.directory, commit, isContent, 1), /has more than 1 files of documents/)
})

test('a very long author is cut', async (t) => {
  const repository = await temporaryWorkTree(t)
  const email = `${'a'.repeat(100_000)}@example.com`
  await repository.git('-c', `user.email=${email}`, 'commit', '--quiet', '--allow-empty', '--message', 'x')
  const {commits} = await readCommits(repository.directory, 'HEAD', () => false)
  equal(commits[0]?.email, 'a'.repeat(1_000))
  equal(Number(commits[0]?.seconds) > 0, true)
})

test('a commit whose fields have the marks of the format has its changes', async (t) => {
  const repository = await temporaryWorkTree(t)
  await repository.write('post/a.json', '{}')
  await repository.git('add', '--all')
  const author = ['-c', 'user.name=A\u0001\u0002', '-c', 'user.email=\u0002@\u0001']
  await repository.git(...author, 'commit', '--quiet', '--message', '\u0001:\u0002x\n\n\u0001')
  const {commits} = await readCommits(repository.directory, 'HEAD', () => false)
  deepEqual(
    commits.map(({changes}) => changes.map(({path}) => path)),
    [['post/a.json']],
  )
})
