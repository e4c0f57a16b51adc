import assert from 'node:assert/strict'
import {mkdir, mkdtemp, readdir, readFile, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {packHandrail} from '../../../deploy/packages/pack.ts'
import {buildSnippet} from '../../../snippet/build/build.ts'
import {cookieOf} from '../../lake/support/signIn.ts'
import {configOf, recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {addressAfter, runProgram} from '../../support/program.ts'
import {trialToken} from '../../support/trialToken.ts'
import {FOLDER, type Installed, install, ON_OLDER_NODE, run} from './support.ts'

const MAX_MEGABYTES = 40

describe('the package handrail', () => {
  let directory: string
  let handrail: Installed
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), FOLDER))
    handrail = await install(await packHandrail(directory), directory)
  })
  after(() => rm(directory, {recursive: true, force: true}))

  test('in an empty folder, starts the demo shop, and an editor signs in to Studio and publishes', async (t) => {
    const cwd = join(directory, 'site')
    await mkdir(cwd)
    const originTrialToken = trialToken({})
    const {PATH, HOME} = process.env
    const {child, ended, said, output} = runProgram(t, [process.execPath, handrail.command], {
      cwd,
      env: {
        PATH,
        HOME,
        PORT: '0',
        LAKE_PORT: '0',
        SHOP_PORT: '0',
        WEBMCP_ORIGIN_TRIAL_TOKEN: originTrialToken,
      },
    })
    await said(/as a page requests it.*\n/)
    const service = addressAfter(output(), 'as a page requests it')
    const lake = addressAfter(output(), 'where you edit the tools')
    const shop = addressAfter(output(), 'with the panel of its tools')
    const config = () => configOf(fetch(`${service}/api/sites/demo-shop/config?path=/products`))
    assert.ok((await config()).names.includes('searchProducts'))
    assert.match(await (await fetch(shop)).text(), /^<!doctype html>/i)
    const snippet = await fetch(`${service}/snippet.js`)
    assert.equal(await snippet.text(), (await buildSnippet({originTrialToken})).text)

    const page = await (await fetch(lake, {headers: {accept: 'text/html'}})).text()
    assert.ok(page.includes(`content="demo-shop ${shop}"`))
    const [, script] = /<script[^>]* src="(\/static\/[^"]+\.js)"/.exec(page) ?? []
    // A body that is not read to its end would keep its socket.
    const loaded = await fetch(`${lake}${script}`)
    assert.equal(loaded.status, 200, await loaded.text())
    const help = await (await fetch(`${lake}/help/rights`)).text()
    assert.ok(help.includes('handrail lake editor') && !help.includes('npm run lake'))

    const add = ['lake', 'editor', 'add', '--email', 'ada@example.com', '--name', 'Ada Lovelace']
    const added = await run(handrail.command, add, {cwd})
    assert.equal(added.code, 0, added.output)
    const [, linkCode = ''] = /\/login\?code=([\w-]+)/.exec(added.output) ?? []
    const signedIn = await fetch(`${lake}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: {origin: lake},
      body: new URLSearchParams({code: linkCode, to: '/'}),
    })
    assert.equal(signedIn.status, 303)
    const set = {name: 'findProducts'}
    const published = await fetch(`${lake}/v2025-02-19/data/mutate/production`, {
      method: 'POST',
      headers: {origin: lake, cookie: cookieOf(signedIn), 'content-type': 'application/json'},
      body: JSON.stringify({mutations: [{patch: {id: 'tool-search-products', set}}]}),
    })
    assert.equal(published.status, 200, await published.text())
    await eventually(config, ({names}) => names.includes('findProducts'))
    const check = await run(handrail.command, ['content', 'check'], {cwd})
    assert.equal(check.code, 0)
    assert.match(check.output, /^12 documents: nothing to report\.$/m)
    assert.match(check.output, /^The content is in .*site\/\.handrail\/content\.git\.$/m)

    child.kill('SIGTERM')
    assert.equal(await ended, 0)
  })

  test('lists its commands, refuses others, and names commands as they are called here', async () => {
    const cwd = directory
    const help = await run(handrail.command, ['--help'], {cwd})
    assert.equal(help.code, 0)
    assert.deepEqual(
      [...help.output.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name),
      ['start', 'lake', 'service', 'content'],
    )
    const unknown = await run(handrail.command, ['serve'], {cwd})
    assert.equal(unknown.code, 2)
    assert.match(unknown.output, /^handrail: "serve" is not known here\./)
    assert.match(
      (await run(handrail.command, ['lake', '--help'], {cwd})).output,
      /^Usage: handrail lake <command>/,
    )
  })

  test('has every file that it starts as a thread or a process', async () => {
    const bundle = join(handrail.folder, 'lib')
    const files = await readdir(bundle)
    const texts = await Promise.all(files.map((name) => readFile(join(bundle, name), 'utf8')))
    const named = texts.flatMap((text) =>
      Array.from(
        text.matchAll(/new URL\("\.\/([\w-]+\.mjs)", import\.meta\.url\)/g),
        ([, name = '']) => name,
      ),
    )
    assert.ok(named.includes('service-preview-drafts-worker.mjs'))
    assert.deepEqual(
      named.filter((name) => !files.includes(name)),
      [],
    )
  })

  test('says in one line that Node is too old', async () => {
    const {code, output} = await run(handrail.command, [], {cwd: directory, node: ON_OLDER_NODE})
    assert.equal(code, 1)
    assert.equal(
      output,
      'Handrail needs Node 24, and this is v20.20.2. Install it from https://nodejs.org.\n',
    )
  })

  test(`has at most ${MAX_MEGABYTES} MB, and needs only what writes the log`, async () => {
    assert.deepEqual(Object.keys(recordOf(handrail.manifest.dependencies)), ['pino', 'pino-pretty'])
    const entries = await readdir(handrail.folder, {recursive: true})
    const sizes = await Promise.all(
      entries.map(async (name) => (await stat(join(handrail.folder, name))).size),
    )
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(bytes < MAX_MEGABYTES * 1e6, `${bytes / 1e6} MB`)
  })
})
