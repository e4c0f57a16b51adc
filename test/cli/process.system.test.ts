import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {temporaryWorkTree} from '../lake/support/git.ts'
import {GOOD_FILES} from '../support/brokenRepositories/documents.ts'

const run = promisify(execFile)
const CONTENT = fileURLToPath(new URL('../../cli/content.mjs', import.meta.url))

test('the program ends with the exit code of its command, and knows where npm was called', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  const checked = await run(process.execPath, [CONTENT, 'check'], {cwd: directory})
  assert.equal(checked.stdout, '3 documents: nothing to report.\n')
  await assert.rejects(run(process.execPath, [CONTENT, 'check', 'nowhere'], {cwd: directory}), {code: 2})
  // As "npm run" starts it: in the directory of package.json.
  const npm = {...process.env, npm_lifecycle_event: 'content', INIT_CWD: directory}
  const {stdout} = await run(process.execPath, [CONTENT, 'check', '.'], {cwd: '/', env: npm})
  assert.equal(stdout, '3 documents: nothing to report.\n')
})

test('a command whose output is not read to its end says nothing of it, and keeps its exit code', async () => {
  const words = ['-c', 'set -o pipefail; "$@" | true', 'bash', process.execPath, CONTENT]
  assert.deepEqual(await run('bash', [...words, '--help']), {stdout: '', stderr: ''})
  await assert.rejects(run('bash', [...words, 'check', 'nowhere']), {code: 2})
})
