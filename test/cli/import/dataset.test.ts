import assert from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import {temporaryFolder, temporaryRepository, testRepository} from '../../lake/support/git.ts'
import {runLake} from '../../lake/support/lake.ts'
import {eventually} from '../../support/eventually.ts'
import {transfer} from '../transfer/run.ts'
import {stubLake} from '../transfer/stub.ts'

const LINES = ['one', 'two'].map((id) => `${JSON.stringify({_id: id, _type: 'page'})}\n`)

test('the export is asked for with the token, again after 429 and 5xx, and as late as Retry-After says', async (t) => {
  const asked: [url: string | undefined, authorization: string | undefined][] = []
  const environment = await stubLake(t, ({url, headers}, response) => {
    asked.push([url, headers.authorization])
    if (asked.length === 1) response.writeHead(429, {'retry-after': '7'}).end('too many')
    else if (asked.length === 2) response.writeHead(503).end('busy')
    else response.end(LINES.join(''))
  })
  const directory = join(await temporaryFolder(t), 'content')
  const args = ['dataset', directory, '--project', 'abc123', '--dataset', 'mine']
  const {code, out, error, waits} = await transfer('import', args, environment)
  assert.equal(code, 0)
  const label = `project abc123, dataset mine at ${environment.SANITY_API_HOST}`
  assert.equal(
    out,
    `Imported 2 documents from ${label} into ${directory}: 2 new, 0 replaced, 0 kept, 0 unchanged.\n`,
  )
  assert.equal(
    // A slow import reports its progress, too.
    error.replace(/\d+ s\n(?:\d+ documents read\n)*$/, ''),
    `${label}: status 429, too many; trying again in 7 s\n${label}: status 503, busy; trying again in `,
  )
  assert.deepEqual(new Set(asked.map(([url]) => url)), new Set(['/v2025-02-19/data/export/mine']))
  assert.deepEqual(new Set(asked.map(([, token]) => token)), new Set(['Bearer a-token']))
  assert.deepEqual([waits.length, waits[0]], [2, 7_000])
})

test('an export that is refused, ends early or reports an error stops the import, and nothing is imported', async (t) => {
  const responses: [RegExp, Parameters<typeof stubLake>[1]][] = [
    [
      /: status 401, no session. Set SANITY_API_TOKEN to a token/,
      (_, response) => response.writeHead(401).end('no session'),
    ],
    [/: status 404, dataset not found$/, (_, response) => response.writeHead(404).end('dataset not found')],
    [
      /: the export was cut off \(.*\). Run the command again$/,
      (_, response) => {
        response.writeHead(200, {'content-length': '5000'}).write(LINES[0], () => response.destroy())
      },
    ],
    [
      / stopped the export: out of memory$/,
      (_, response) => {
        response.end(
          `${LINES[0]}${JSON.stringify({error: {description: 'out of memory'}, statusCode: 500})}\n`,
        )
      },
    ],
  ]
  for (const [expected, respond] of responses) {
    const directory = join(await temporaryFolder(t), 'content')
    const {code, error, out} = await transfer('import', ['dataset', directory], await stubLake(t, respond))
    assert.match(error, expected)
    assert.deepEqual([code, out], [2, ''])
    assert.equal(await testRepository(directory).git('for-each-ref'), '')
  }
})

test('a commit during the import stops it, and nothing is imported', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'page/zero.json': {_id: 'zero', _type: 'page'}})
  const environment = await stubLake(t, async (_, response) => {
    response.write(LINES[0])
    await repository.commit({'page/other.json': {_id: 'other', _type: 'page'}})
    response.end(LINES[1])
  })
  const {code, error} = await transfer('import', ['dataset', repository.directory], environment)
  assert.match(error, /got a commit during the import, so nothing was imported: run it again$/)
  assert.equal(code, 2)
  assert.equal(
    await repository.git('ls-tree', '-r', '--name-only', 'HEAD'),
    'page/other.json\npage/zero.json\n',
  )
})

test('a running lake serves what is imported into its repository', async (t) => {
  const source = await stubLake(t, (_, response) => {
    response.end(LINES.join(''))
  })
  const {repository, client} = await runLake(t, {'page/zero.json': {_id: 'zero', _type: 'page'}})
  const {code} = await transfer('import', ['dataset', repository.directory], source)
  assert.equal(code, 0)
  await eventually(() => client.fetch<string[]>('*[_type == "page"]._id | order(@)'), ['one', 'two', 'zero'])
})

test('invalid settings are named', async (t) => {
  const directory = join(await temporaryFolder(t), 'content')
  const {code, error} = await transfer('import', ['dataset', directory, '--project', 'A B'])
  assert.deepEqual(
    [code, /^Invalid configuration: SANITY_PROJECT_ID: "A B" is not a project ID/.test(error)],
    [2, true],
  )
})
