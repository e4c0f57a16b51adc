import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {MAX_AGE} from '../../schemas/rules/pollInterval.ts'
import {CACHE_CONTROL} from '../../service/http/configAnswer.ts'
import * as snippet from '../../snippet/limits.ts'
import {projectFile} from './support/files.ts'

test('nginx, what is in the HTML, and the documents have the max-age of the service', async () => {
  const read = (path: string) => readFile(projectFile(path), 'utf8')
  const nginx = await read('deploy/nginx/handrail.conf')
  // nginx keeps a response for less than two seconds.
  assert.ok(nginx.includes(`"${CACHE_CONTROL}" "public, max-age=${MAX_AGE - 2}";`))
  assert.ok(nginx.includes(`Browsers get ${MAX_AGE - 2} of the ${MAX_AGE} seconds`))
  assert.equal(snippet.MAX_AGE, MAX_AGE * 1_000)
  const [, revalidated = ''] =
    /REVALIDATE_AFTER = ([\d_]+)/.exec(await read('deploy/packages/server/handrail.ts')) ?? []
  assert.equal(Number(revalidated.replace('_', '')), MAX_AGE * 500)
  assert.ok(
    (await read('README.md')).includes(`for ${MAX_AGE} seconds (\`Cache-Control: ${CACHE_CONTROL}\`)`),
  )
  assert.ok((await read('docs/specification.md')).includes(`\`Cache-Control: ${CACHE_CONTROL}\``))
})
