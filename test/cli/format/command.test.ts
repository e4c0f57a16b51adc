import assert from 'node:assert/strict'
import {mkdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {readSnapshot} from '../../../cli/diff/snapshot.ts'
import {readRevision} from '../../../cli/source/gitFiles.ts'
import {temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, SITE, TEXTS, TOOL, text} from '../../support/brokenRepositories/documents.ts'
import {content} from '../support/run.ts'

/** The good repository as one file for each document, with keys in another order. */
const ONE_FILE = {
  'site/cafe.json': JSON.stringify(Object.fromEntries(Object.entries(SITE).reverse())),
  'tool/menu.json': text({...TOOL, ...TEXTS}),
  'formTool/table.json': GOOD_FILES['formTool/table.json'],
}

const revisionsAt = async (directory: string, revision: string) => {
  const snapshot = readSnapshot(await readRevision(directory, revision, {}))
  return Object.fromEntries(Array.from(snapshot.values(), ({_id, _rev}) => [_id, _rev]))
}

test('moves a repository to files in one commit that keeps every revision, and git revert undoes it', async (t) => {
  const {directory, commit, git} = await temporaryWorkTree(t)
  await git('config', 'user.name', 'Grace')
  await git('config', 'user.email', 'grace@example.com')
  await commit({...ONE_FILE, 'README.md': 'Hello\n'})
  const {code, out} = await content(['format'], directory)
  assert.deepEqual({code, out}, {code: 0, out: 'Formatted 2 documents (4 files).\n'})
  for (const [path, file] of Object.entries(GOOD_FILES))
    assert.equal(await readFile(join(directory, path), 'utf8'), file)
  assert.equal(await git('status', '--porcelain'), '')
  assert.equal(await git('log', '--format=%an %s'), 'Grace Format the content\nAda Change content\n')
  assert.equal(await git('for-each-ref', '--format=%(refname)'), 'refs/heads/main\n')
  assert.deepEqual(await revisionsAt(directory, 'HEAD'), await revisionsAt(directory, 'HEAD~1'))
  assert.equal((await content(['check', '--strict'], directory)).code, 0)
  assert.equal((await content(['diff', 'HEAD~1', '--exit-code'], directory)).code, 0)

  assert.equal((await content(['format'], directory)).out, 'Nothing to format.\n')
  assert.equal(await git('rev-list', '--count', 'HEAD'), '2\n')

  await git('revert', '--no-edit', 'HEAD')
  assert.equal(await git('diff', 'HEAD~2', 'HEAD'), '')
})

test('only writes the files with --no-commit, also in a folder of a repository', async (t) => {
  const {directory, commit, git} = await temporaryWorkTree(t)
  await commit(Object.fromEntries(Object.entries(ONE_FILE).map(([path, file]) => [`content/${path}`, file])))
  assert.equal((await content(['format', 'content', '--no-commit'], directory)).code, 0)
  assert.equal(await readFile(join(directory, 'content/tool/menu.js'), 'utf8'), GOOD_FILES['tool/menu.js'])
  assert.equal(await git('rev-list', '--count', 'HEAD'), '1\n')
  await git('checkout', '--quiet', '.')
  await git('clean', '-fdq')
  await git('config', 'user.name', 'Grace')
  await git('config', 'user.email', 'grace@example.com')
  assert.equal((await content(['format', 'content'], directory)).code, 0)
  assert.match(await git('show', '--stat', '--format='), / content\/tool\/menu\.js /)
})

test('refuses uncommitted changes, and leaves out what it cannot read', async (t) => {
  const {directory, commit, git, write, remove} = await temporaryWorkTree(t)
  await git('config', 'user.name', 'Grace')
  await git('config', 'user.email', 'grace@example.com')
  await commit({
    ...ONE_FILE,
    'tool/broken.json': '{',
    'tool/x.schema.json': text({...TOOL, ...TEXTS, _id: 'x.schema'}),
  })
  await write('tool/new.json', '{}')
  const dirty = await content(['format'], directory)
  assert.equal(dirty.code, 2)
  assert.match(dirty.error, /uncommitted changes \(\?\? tool\/new\.json\)/)
  await remove('tool/new.json')
  const {code, out} = await content(['format'], directory)
  assert.equal(code, 1)
  assert.match(out, /^tool\/broken\.json stays as it is: not valid JSON/m)
  assert.match(out, /^tool\/x\.schema\.json stays as it is: there is no tool\/x\.json/m)
  assert.equal(await readFile(join(directory, 'tool/broken.json'), 'utf8'), '{')
})

test('indents schemas only with --pretty', async (t) => {
  const {directory, commit, git} = await temporaryWorkTree(t)
  await git('config', 'user.name', 'Grace')
  await git('config', 'user.email', 'grace@example.com')
  const flat = JSON.stringify({type: 'object', properties: {}})
  await commit({'tool/menu.json': text({...TOOL, ...TEXTS, inputSchema: flat})})
  await content(['format'], directory)
  assert.equal(await readFile(join(directory, 'tool/menu.schema.json'), 'utf8'), `${flat}\n`)
  await content(['format', '--pretty'], directory)
  assert.equal(
    await readFile(join(directory, 'tool/menu.schema.json'), 'utf8'),
    GOOD_FILES['tool/menu.schema.json'],
  )
  await mkdir(join(directory, 'empty'))
  assert.equal((await content(['format', 'nowhere'], directory)).code, 2)
})
