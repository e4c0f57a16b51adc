import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {test} from 'node:test'
import {projectFile} from '../../deploy/support/files.ts'
import {token} from '../../lake/support/app.ts'
import {temporaryRepository} from '../../lake/support/git.ts'
import {runLake} from '../../lake/support/lake.ts'
import {environmentOf, page, transfer} from './run.ts'
import {stubLake} from './stub.ts'

const CONTENT = projectFile('cli/content.mjs')

const lineOf = (document: object) => `${JSON.stringify(document)}\n`

test('an import that is killed leaves the repository as it was, and can be repeated', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'page/zero.json': page('zero')})
  const head = await repository.git('rev-parse', 'HEAD')
  const lines = Array.from({length: 1_000}, (_, at) => lineOf(page(`p${at}`, {text: 'x'.repeat(500)})))
  const {promise: half, resolve: onHalf} = Promise.withResolvers<void>()
  let asked = 0
  const environment = await stubLake(t, (_, response) => {
    asked += 1
    if (asked > 1) response.end(lines.join(''))
    else response.write(lines.slice(0, 500).join(''), () => setTimeout(onHalf, 500)) // the import has read this half by then
  })
  const env = {...process.env, ...environment}
  const child = spawn(process.execPath, [CONTENT, 'import', 'dataset', repository.directory], {env})
  await half
  child.kill('SIGKILL')
  await once(child, 'close')
  assert.equal(await repository.git('rev-parse', 'HEAD'), head)
  const again = await transfer('import', ['dataset', repository.directory], environment)
  assert.match(again.out, /^Imported 1,000 documents .* 1,000 new, /)
  await repository.git('fsck', '--strict')
})

test('an export that stopped goes on where it stopped', async (t) => {
  const repository = await temporaryRepository(t)
  const documents = Array.from({length: 500}, (_, at) => page(`p${at}`))
  await repository.commit(
    Object.fromEntries(documents.map((document) => [`page/${document._id}.json`, document])),
  )
  const lake = await runLake(t)
  let writes = 0
  const interrupted = await stubLake(t, async (request, response) => {
    if (request.method === 'GET') return response.end()
    writes += 1
    if (writes > 2) return response.writeHead(400).end('{"message": "stopped"}')
    const body = await new Response(request).text()
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
    const answer = await fetch(`${lake.address}${request.url}`, {method: 'POST', body, headers})
    return response.writeHead(answer.status, {'content-type': 'application/json'}).end(await answer.text())
  })
  const first = await transfer('export', [repository.directory, 'dataset'], interrupted)
  assert.deepEqual([first.code, /status 400/.test(first.error)], [2, true])
  assert.equal(await lake.client.fetch('count(*)'), 400)
  const environment = environmentOf(lake)
  const second = await transfer('export', [repository.directory, 'dataset'], environment)
  assert.match(second.out, /^Exported 100 documents .* 100 new, 0 replaced, 0 kept, 400 unchanged/)
})
