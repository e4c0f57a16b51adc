import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {testRepository} from './lake/support/git.ts'
import {configOf, recordOf} from './support/answers.ts'
import {contentRepositoryAt} from './support/content.ts'
import {eventually} from './support/eventually.ts'
import {listen} from './support/network/ports.ts'
import {addressAfter, type Program, runProgram} from './support/program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a file of the project with its own settings. */
function run(t: TestContext, words: readonly string[], environment: NodeJS.ProcessEnv): Program {
  const {PATH, HOME, NODE_COMPILE_CACHE} = process.env
  return runProgram(t, [process.execPath, ...words], {
    cwd: root,
    env: {PATH, HOME, NODE_COMPILE_CACHE, ...environment},
  })
}

/** Settings of a start in folders of its own, which are removed with the test. */
async function settingsOfOwn(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'Handrail für alle '))
  t.after(() => rm(folder, {recursive: true, force: true, maxRetries: 3}))
  return {
    PORT: '0',
    LAKE_PORT: '0',
    SHOP_PORT: '0',
    CONTENT_DIR: join(folder, 'content.git'),
    SNAPSHOT_DIR: join(folder, 'snapshots'),
  }
}

test('npm start: an empty folder becomes the demo shop, a commit is served, SIGTERM ends it with 0', async (t) => {
  const settings = await settingsOfOwn(t)
  const {child, ended, said, output} = run(t, ['--import', 'tsx', 'start.ts'], settings)
  await said(/as a page requests it.*\n/)
  const log = output()
  const address = addressAfter(log, 'as a page requests it')
  const config = () => configOf(fetch(`${address}/api/sites/demo-shop/config?path=/products`))
  assert.ok((await config()).names.includes('searchProducts'))

  assert.match(
    log,
    /where you edit the tools: \S+ \(npm run lake -- editor link prints a link that signs you in\)/,
  )

  const shopAddress = addressAfter(log, 'with the panel of its tools')
  const shop = await fetch(shopAddress)
  assert.equal(shop.status, 200)
  assert.ok(
    (await shop.text()).includes(
      `<script async crossorigin src="${address}/snippet.js" data-site="demo-shop" data-panel>`,
    ),
  )
  const headers = {accept: 'text/html'}
  const studio = await fetch(addressAfter(log, 'where you edit the tools'), {headers})
  assert.ok([200, 503].includes(studio.status), 'Studio, or the page that says it is being built')
  const policy = studio.headers.get('content-security-policy') ?? ''
  assert.ok(policy.includes(` ${address};`), `Studio may call the service: ${policy}`)
  if (studio.status === 200)
    assert.ok((await studio.text()).includes(`content="demo-shop ${shopAddress}"`), 'it can open the shop')

  const repository = contentRepositoryAt(settings.CONTENT_DIR)
  const [found] = (await repository.git('grep', '--files-with-matches', '"searchProducts"', 'HEAD')).split(
    '\n',
  )
  const path = found?.replace('HEAD:', '')
  assert.ok(path)
  const file = await repository.git('show', `HEAD:${path}`)
  await testRepository(settings.CONTENT_DIR).commit({
    [path]: file.replace('"searchProducts"', '"findProducts"'),
  })
  await eventually(config, ({names}) => names.includes('findProducts'))

  child.kill('SIGTERM')
  assert.equal(await ended, 0)
})

for (const [file, name] of [
  ['start.ts', 'SHOP_PORT'],
  ['start.ts', 'PORT'],
  ['service/main.ts', 'PORT'],
] as const)
  test(`${file}: a taken ${name} stops everything with one line, also with a Redis`, async (t) => {
    const port = String(await listen(createServer(), t))
    const settings = {...(await settingsOfOwn(t)), REDIS_URL: 'redis://127.0.0.1:1', [name]: port}
    assert.equal(
      await refusal(run(t, [file], settings)),
      `${name} ${port} is in use: stop the other program, or choose another port.\n`,
    )
  })

/** Expects that a program stops at its start. @returns its error output */
async function refusal({ended, errors}: Program): Promise<string> {
  assert.equal(await ended, 1)
  return errors()
}

for (const file of ['start.ts', 'service/main.ts']) {
  test(`${file}: a setting that cannot be understood stops the start with one line`, async (t) => {
    assert.match(
      await refusal(run(t, [file], {SANITY_DATASET: 'No Such Name'})),
      /^[^\n]*SANITY_DATASET[^\n]*\n$/,
    )
  })

  test(`${file}: a word on the command line stops the start with one line`, async (t) => {
    assert.equal(
      await refusal(run(t, [file, '--port', '4000'], {})),
      '“--port 4000” is not understood: settings are environment variables, see docs/configuration.md.\n',
    )
  })
}

test('npx handrail runs the command of the package in a clone', async (t) => {
  const cache = await mkdtemp(join(tmpdir(), 'handrail-npx-'))
  t.after(() => rm(cache, {recursive: true, force: true, maxRetries: 3}))
  const {version} = recordOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const env = {...process.env, npm_config_cache: cache}
  const {ended, output} = runProgram(t, ['npx', '--no-install', 'handrail', '--version'], {cwd: root, env})
  assert.equal(await ended, 0)
  assert.equal(output().trim(), version)
})

test('npm passes signals to the servers of its scripts, because its shell does not stay', () => {
  const {scripts}: {scripts?: unknown} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of ['start', 'service', 'lake'])
    assert.match(String(recordOf(scripts)[name]), /^exec node /, name)
})
