import {deepEqual, equal, match, ok} from 'node:assert/strict'
import {mkdtempSync, rmSync} from 'node:fs'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {readServiceToken} from '../../common/serviceToken.ts'
import {listen} from '../support/network/ports.ts'
import {runProgram} from '../support/program.ts'
import {temporaryFolder, temporaryRepository, testRepository} from './support/git.ts'

const main = fileURLToPath(new URL('../../lake/main.ts', import.meta.url))

/** Runs the program of `npm run lake` with the given settings. */
function runMain(t: TestContext, env: NodeJS.ProcessEnv, words: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-lake-'))
  const own = {CONTENT_DIR: join(folder, 'content.git')}
  const program = runProgram(t, [process.execPath, main, ...words], {env: {...process.env, ...own, ...env}})
  t.after(() => rmSync(folder, {recursive: true, force: true}))
  return program
}

test('the first start creates a repository with what explains the example and none of its documents, and a signal stops the lake before its deadline', async (t) => {
  const folder = await temporaryFolder(t)
  const {child, ended, said} = runMain(t, {
    CONTENT_DIR: join(folder, 'content'),
    LAKE_PORT: '0',
  })
  const [, address] = await said(/lake at (http:\/\/localhost:\d+)/)
  equal((await fetch(`${address}/healthz`)).status, 200)
  const files = (await testRepository(join(folder, 'content')).git('ls-tree', '-r', '--name-only', 'HEAD'))
    .trim()
    .split('\n')
  ok(
    ['.gitignore', 'AGENTS.md', '.schema/tool.json'].every((path) => files.includes(path)),
    String(files),
  )
  deepEqual(
    files.filter((path) => /^(?:site|tool|formTool)\//.test(path)),
    [],
  )
  const live = `${address}/v1/data/live/events/production`
  equal((await fetch(live)).status, 401)
  const headers = {
    authorization: `Bearer ${await readServiceToken(join(folder, 'content/handrail/service-token'))}`,
  }
  const stream = await fetch(live, {headers})
  equal(stream.status, 200)
  child.kill('SIGTERM')
  equal(await ended, 0)
  await stream.text()
})

test('its Studio knows the address of the service and may call it', async (t) => {
  const directory = join(await temporaryFolder(t), 'content')
  const {said} = runMain(t, {
    CONTENT_DIR: directory,
    LAKE_PORT: '0',
    SERVICE_ORIGIN: 'https://tools.example/',
  })
  const [, address = ''] = await said(/lake at (http:\/\/localhost:\d+)/)
  const {headers} = await fetch(address, {headers: {accept: 'text/html'}})
  match(headers.get('content-security-policy') ?? '', /connect-src [^;]* https:\/\/tools\.example;/)
})

test('a command says which CONTENT_DIR it used, on standard error', async (t) => {
  const repository = await temporaryRepository(t)
  const {directory} = repository
  await repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  const {ended, output, errors} = runMain(t, {CONTENT_DIR: directory}, ['token', 'list'])
  deepEqual([await ended, output(), errors()], [0, 'none\n', `CONTENT_DIR: ${directory}\n`])
})

test('an unusable setting stops the start with one clear line', async (t) => {
  const server = createServer()
  const port = await listen(server, t)
  const repository = await temporaryRepository(t)
  await repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  const directory = repository.directory
  for (const [env, line] of [
    [{LAKE_PORT: 'many', SANITY_DATASET: 'A B'}, /^Invalid configuration: LAKE_PORT: .* SANITY_DATASET: .*$/],
    [
      {SERVICE_ORIGIN: 'tools.example', CONTENT_DIR: directory},
      /^SERVICE_ORIGIN: "tools\.example" is not .*$/,
    ],
    [{LAKE_PORT: String(port), CONTENT_DIR: directory}, /^LAKE_PORT \d+ is in use: /],
    [{LAKE_PORT: '0', CONTENT_DIR: join(directory, 'refs')}, /^CONTENT_DIR .* is inside the repository /],
    [
      {LAKE_PORT: '0', CONTENT_DIR: directory, LAKE_HOST: '203.0.113.1'},
      /^Cannot listen on 203\.0\.113\.1:0 \(EADDRNOTAVAIL\): see LAKE_HOST\.$/,
    ],
  ] satisfies [NodeJS.ProcessEnv, RegExp][]) {
    const {ended, errors} = runMain(t, env)
    equal(await ended, 1)
    match(errors().trim(), line)
    ok(!errors().trim().includes('\n'))
  }
})
