import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {temporaryFolder, temporaryWorkTree} from '../lake/support/git.ts'
import {GOOD_FILES} from '../support/brokenRepositories/documents.ts'

const run = promisify(execFile)
const CONTENT = fileURLToPath(new URL('../../cli/content.mjs', import.meta.url))

test('the program works with and without type stripping by Node, and ends with the exit code of its command', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  // tsx keeps what it compiled in TMPDIR.
  const env = {...process.env, TMPDIR: await temporaryFolder(t)}
  for (const options of [[], ['--no-experimental-strip-types']]) {
    const {stdout} = await run(process.execPath, [...options, CONTENT, 'check'], {cwd: directory, env})
    assert.equal(stdout, '3 documents: nothing to report.\n')
  }
  await assert.rejects(run(process.execPath, [CONTENT, 'check', 'nowhere'], {cwd: directory}), {code: 2})
  // As "npm run" starts it: in the directory of package.json.
  const npm = {...env, npm_lifecycle_event: 'content', INIT_CWD: directory}
  const {stdout} = await run(process.execPath, [CONTENT, 'check', '.'], {cwd: '/', env: npm})
  assert.equal(stdout, '3 documents: nothing to report.\n')
})
