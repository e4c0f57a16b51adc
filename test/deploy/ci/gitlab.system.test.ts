import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {isJsonObject} from '../../../common/json.ts'
import {temporaryRepository} from '../../lake/support/git.ts'
import {GOOD_FILES} from '../../support/brokenRepositories/documents.ts'
import {commentHost, recipe, runStep} from './support.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

test('the GitLab job checks, compares and comments on a merge request', async (t) => {
  const {directory, commit} = await temporaryRepository(t)
  const base = await commit(GOOD_FILES)
  await commit({'tool/menu.js': "return 'closed'\n"})
  const host = await commentHost(t)
  const job = (await recipe('gitlab.yml'))['handrail-content']
  assert.ok(isJsonObject(job) && Array.isArray(job.script) && isJsonObject(job.variables))
  // The command of this project instead of the package, whose files have the same names.
  const script = job.script.join('\n').replaceAll('/tmp/handrail/node_modules/@handrail/content/', `${ROOT}/`)
  const env = {
    PATH: process.env.PATH,
    CONTENT: String(job.variables.CONTENT),
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    CI_API_V4_URL: host.origin,
    CI_PROJECT_ID: '3',
    CI_MERGE_REQUEST_IID: '9',
    HANDRAIL_COMMENT_TOKEN: 'secret',
    HANDRAIL_TEST_URL: 'https://staging.example',
  }
  const {code, output} = await runStep(script, directory, env)
  assert.equal(code, 0, output)
  assert.match(output, /^3 documents: nothing to report\.$/m)
  const diff = await readFile(join(directory, 'handrail-diff.md'), 'utf8')
  assert.match(diff, /^\+return 'closed'$/m)
  assert.match(diff, /^### Tests of tools\n\n {4}note: Write tests in Studio/m)
  assert.deepEqual(
    host.requests.map(({method, path}) => `${method} ${path}`),
    ['POST /projects/3/merge_requests/9/notes'],
  )

  await commit({'tool/menu.js': 'return (\n'})
  const broken = await runStep(script, directory, {PATH: env.PATH, CONTENT: env.CONTENT})
  assert.equal(broken.code, 1)
  assert.match(broken.output, /^tool\/menu\.js$/m)
})
