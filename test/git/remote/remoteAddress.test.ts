import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {test} from 'node:test'
import {openContentDirectory} from '../../../git/openContentDirectory.ts'
import {findCommitPage} from '../../../git/remote/commitPage.ts'
import {Remote} from '../../../git/remote/remote.ts'
import {withoutSecrets} from '../../../git/remote/remoteAddress.ts'
import {temporaryFolder, temporaryRepository, testRepository} from '../../lake/support/git.ts'
import {listen} from '../../support/network/ports.ts'

test('a remote’s password is used for authentication and appears in no command line', async (t) => {
  const repository = await temporaryRepository(t)
  const commit = await repository.commit({'tool/a.json': '{}'})
  const bare = testRepository(await temporaryFolder(t))
  await bare.git('clone', '--quiet', '--bare', repository.directory, 'x.git')
  await testRepository(join(bare.directory, 'x.git')).git('update-server-info')

  const secret = 's3cr@t'
  let admitted = 0
  // Serves the files of a bare repository: https://git-scm.com/docs/http-protocol
  const server = createServer(async (request, response) => {
    const expected = `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`
    if (request.headers.authorization !== expected) {
      response.writeHead(401, {'www-authenticate': 'Basic realm="git"'}).end()
      return
    }
    admitted += 1
    const path = new URL(request.url ?? '', 'http://x').pathname
    const content = await readFile(join(bare.directory, path)).catch(() => undefined)
    response.writeHead(content === undefined ? 404 : 200).end(content)
  })
  const port = await listen(server, t)

  const address = `http://ada:${encodeURIComponent(secret)}@127.0.0.1:${port}/x.git`
  await repository.git('config', 'remote.host.url', address)
  const trace = join(bare.directory, 'trace')
  process.env.GIT_TRACE = trace
  t.after(() => {
    delete process.env.GIT_TRACE
  })
  const folder = await openContentDirectory(repository.directory)
  for (const to of [address, 'host']) {
    const remote = new Remote(folder, to, {timeout: 20_000, signal: new AbortController().signal})
    assert.equal(await remote.fetch('refs/heads/main'), commit)
    assert.equal(await findCommitPage(folder.root, to), undefined)
  }
  assert.ok(admitted > 0)
  const commandLines = (await readFile(trace, 'utf8')).split('\n')
  assert.ok(commandLines.some((line) => line.includes('/x.git')))
  const secrets = [secret, encodeURIComponent(secret), Buffer.from(`ada:${secret}`).toString('base64')]
  const telling = commandLines.filter((line) => secrets.some((text) => line.includes(text)))
  assert.deepEqual(telling, [])
})

test('only credentials of HTTP URLs are removed', () => {
  for (const remote of [
    'origin',
    'git@git.example:x.git',
    'ssh://git@git.example/x',
    'https://git.example/x',
    '/srv/x',
  ]) {
    assert.deepEqual(withoutSecrets(remote), {address: remote, config: []})
  }
  const {address, config} = withoutSecrets('https://t%ken@git.example/x')
  assert.equal(address, 'https://git.example/x')
  assert.deepEqual(config, [
    [
      'http.https://git.example/.extraHeader',
      `Authorization: Basic ${Buffer.from('t%ken:').toString('base64')}`,
    ],
  ])
})
