import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {chmod, copyFile, mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {temporaryFolder, temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES} from '../../support/brokenRepositories/documents.ts'

const run = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('../../../cli/content.mjs', import.meta.url))
const BROKEN = 'return (\n'

async function install(hook: string, gitDir: string): Promise<void> {
  const file = join(gitDir, 'hooks', hook)
  await mkdir(join(gitDir, 'hooks'), {recursive: true})
  await copyFile(fileURLToPath(new URL(`../../../deploy/ci/${hook}`, import.meta.url)), file)
  await chmod(file, 0o755)
  await run('git', ['-C', gitDir, 'config', 'handrail.program', PROGRAM])
}

async function bareWithHook(t: TestContext): Promise<string> {
  const bare = join(await temporaryFolder(t), 'content.git')
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare])
  await install('pre-receive', bare)
  return bare
}

test('a push with a broken script is refused with its file and line, and the branch stays', async (t) => {
  const bare = await bareWithHook(t)
  const {commit, git} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  await git('push', '--quiet', bare, 'main')
  await commit({'tool/menu.js': BROKEN})
  await assert.rejects(git('push', '--quiet', bare, 'main'), (error: unknown) => {
    assert.ok(error instanceof Error)
    assert.match(error.message, /remote: tool\/menu\.js/)
    assert.match(error.message, /remote: +\d+:\d+ +error +Script: The script cannot be read/)
    assert.match(error.message, /remote: main was not accepted: correct the errors above, then push again\./)
    return true
  })
  const {stdout} = await run('git', ['-C', bare, 'rev-list', '--count', 'main'])
  assert.equal(stdout, '1\n')
  await commit({'tool/menu.js': GOOD_FILES['tool/menu.js']})
  await git('push', '--quiet', bare, 'main', 'main:other')
  await git('push', '--quiet', bare, ':other')
})

test('a commit with a broken script is refused, also one of some files only', async (t) => {
  const {directory, commit, git, write} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  await install('pre-commit', join(directory, '.git'))
  await write('tool/menu.js', BROKEN)
  await write('README.md', 'Hello\n')
  await git('add', 'README.md')
  await git('commit', '--quiet', '-m', 'Add a file')
  await assert.rejects(
    git('commit', '--quiet', '-m', 'Break', 'tool/menu.js'),
    /Nothing was committed: correct/,
  )
  await git('add', '--all')
  await assert.rejects(git('commit', '--quiet', '-m', 'Break'), /tool\/menu\.js/)
  assert.equal(await git('rev-list', '--count', 'HEAD'), '2\n')
})

test('a hook that does not know where Handrail is says so', async (t) => {
  const bare = await bareWithHook(t)
  await run('git', ['-C', bare, 'config', '--unset', 'handrail.program'])
  const {commit, git} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  await assert.rejects(git('push', '--quiet', bare, 'main'), /git config handrail\.program/)
})
