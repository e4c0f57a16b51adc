import {deepEqual, equal, match, ok} from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {mkdir, writeFile} from 'node:fs/promises'
import {get} from 'node:http'
import {dirname, join} from 'node:path'
import {type TestContext, test} from 'node:test'
import type {LakeSettings} from '../../../lake/lakeSettings.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

const page = '<!doctype html><script>start()</script><script src="/static/app-12345678.js"></script>'
const files = {
  'index.html': page,
  'static/app-12345678.js': 'app()',
  'static/app-12345678.js.br': 'as brotli',
  'static/favicon.svg': '<svg/>',
}

async function serveFiles(
  t: TestContext,
  content: Record<string, string>,
  settings: Partial<LakeSettings> = {},
) {
  const studioDir = join(await temporaryFolder(t), 'studio')
  const {address} = await runLake(t, {}, {studioDir, ...settings})
  const write = async () => {
    for (const [path, text] of Object.entries(content)) {
      await mkdir(dirname(join(studioDir, path)), {recursive: true})
      await writeFile(join(studioDir, path), text)
    }
  }
  return {address, write}
}

const navigation = {headers: {accept: 'text/html,*/*;q=0.8'}}

test('Studio’s page is served at every address that it can navigate to', async (t) => {
  const {address, write} = await serveFiles(t, files)
  await write()
  for (const path of ['/', '/structure', '/structure/sites;shop;tools', '/intent/edit/id=a;type=tool']) {
    const answer = await fetch(address + path, navigation)
    deepEqual([answer.status, await answer.text()], [200, page], path)
    equal(answer.headers.get('cache-control'), 'no-cache')
  }
})

test('an unknown API path, a missing file and a non-browser client do not get the page', async (t) => {
  const {address, write} = await serveFiles(t, files)
  await write()
  const asked: [string, RequestInit][] = [
    ['/v2025-02-19/data/nothing', navigation],
    ['/vX/schedules/local/production', navigation],
    ['/static/gone-12345678.js', navigation],
    ['/structure', {headers: {accept: 'application/json'}}],
  ]
  for (const [path, init] of asked) {
    const answer = await fetch(address + path, init)
    equal(answer.status, 404, path)
    match(answer.headers.get('content-type') ?? '', /^application\/json/, path)
  }
})

test('files with a digest in their names are cached for a year, others are revalidated', async (t) => {
  const {address, write} = await serveFiles(t, files)
  await write()
  const cacheOf = async (path: string) => (await fetch(address + path)).headers.get('cache-control')
  equal(await cacheOf('/static/app-12345678.js'), 'public, max-age=31536000, immutable')
  equal(await cacheOf('/static/favicon.svg'), 'public, max-age=0')
})

test('no path reaches a hidden file or a file outside the folder of Studio', async (t) => {
  const secrets = {'.hidden.js': 'secret', '.git/config.js': 'secret', '../secret.js': 'secret'}
  const {address, write} = await serveFiles(t, {...files, ...secrets})
  await write()
  for (const path of [
    '/../secret.js',
    '/%2e%2e%2fsecret.js',
    '/..%5csecret.js',
    '/.hidden.js',
    '/.git/config.js',
  ]) {
    // Unlike `fetch`, it sends the path unchanged.
    const status = await new Promise((resolve) => {
      get(address, {path}, (answer) => resolve(answer.resume().statusCode))
    })
    ok(status === 403 || status === 404, `${path}: ${status}`)
  }
})

test('a compressed copy is sent if the browser accepts it', async (t) => {
  const {address, write} = await serveFiles(t, files)
  await write()
  const encodingOf = (accepted: string) =>
    new Promise((resolve) => {
      get(`${address}/static/app-12345678.js`, {headers: {'accept-encoding': accepted}}, (answer) => {
        answer.resume()
        resolve(answer.headers['content-encoding'])
      })
    })
  equal(await encodingOf('gzip, br'), 'br')
  equal(await encodingOf('identity'), undefined)
})

test('the page may run its own scripts and call its own host, and cannot be framed', async (t) => {
  const {address, write} = await serveFiles(t, files)
  await write()
  const {headers} = await fetch(address, navigation)
  const {host} = new URL(address)
  const digest = createHash('sha256').update('start()').digest('base64')
  const policy = headers.get('content-security-policy')?.split('; ') ?? []
  ok(policy.includes(`script-src 'self' 'sha256-${digest}'`), policy.join('\n'))
  ok(policy.includes(`connect-src 'self' ws://${host} wss://${host}`), policy.join('\n'))
  ok(policy.includes("frame-ancestors 'none'"))
  ok(!policy.join().includes('unsafe-eval'))
  equal(headers.get('x-content-type-options'), 'nosniff')
  equal(headers.get('referrer-policy'), 'same-origin')
  isProtected(headers)
  for (const path of ['/login', '/login?code=unknown']) isProtected((await fetch(address + path)).headers)
})

function isProtected(headers: Headers): void {
  equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  ok(headers.get('permissions-policy')?.split(', ').includes('camera=()'))
}

test('the page contains what is added to it, and may call the added origins', async (t) => {
  let connectTo: string[] = []
  const meta = {quoted: '"<&>"', empty: ''}
  const html = '<!doctype html><html><head data-a="b"><title>Studio</title></head></html>'
  const studioPage = () => ({meta, connectTo})
  const {address, write} = await serveFiles(t, {'index.html': html}, {studioPage})
  const policy = async () => (await fetch(address, navigation)).headers.get('content-security-policy') ?? ''
  ok(!(await policy()).includes('tools.example'))
  connectTo = ['https://tools.example', 'http://localhost:3000']
  await write()
  equal(
    await (await fetch(address, navigation)).text(),
    '<!doctype html><html><head data-a="b"><meta name="quoted" content="&quot;&lt;&amp;&gt;&quot;">' +
      '<meta name="empty" content=""><title>Studio</title></head></html>',
  )
  match(await policy(), /connect-src 'self' [^;]* https:\/\/tools\.example http:\/\/localhost:3000;/)
  match(await policy(), /script-src 'self';/)
})

test('until Studio is built, a placeholder page says so and reloads', async (t) => {
  const {address, write} = await serveFiles(t, files)
  const before = await fetch(`${address}/structure`, navigation)
  equal(before.status, 503)
  equal(before.headers.get('retry-after'), '2')
  match(
    await before.text(),
    /http-equiv="refresh" content="2">\n<link rel="icon" href="data:,">.*Studio is being built/s,
  )
  await write()
  equal((await fetch(`${address}/structure`, navigation)).status, 200)
})

test('a lake without Studio has no page', async (t) => {
  const {address} = await runLake(t)
  equal((await fetch(address, navigation)).status, 404)
})

test('the guides for editors are served with Studio, without scripts, to everyone', async (t) => {
  const guides = {
    'help/index.html': '<h1>Help</h1>\n',
    'help/tools.html': '<h1 id="tools">Tools</h1>\n<p>A</p>\n',
    'help/making.png': 'PNG',
  }
  const {address, write} = await serveFiles(t, guides)
  const open = (path: string) => fetch(address + path, {redirect: 'manual'})
  equal((await open('/help')).status, 503, 'until Studio is built')
  await write()
  const response = await open('/help/tools')
  const html = await response.text()
  equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  match(html, /<title>Tools<\/title>/)
  match(html, /<a href="\/help">All guides<\/a>[\s\S]*<p>A<\/p>/)
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? []
  const digest = createHash('sha256').update(style).digest('base64')
  match(
    response.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; img-src 'self'; style-src 'sha256-/,
  )
  ok(response.headers.get('content-security-policy')?.includes(digest))
  equal((await open('/help/making.png')).headers.get('content-type'), 'image/png')
  for (const path of ['/help/unknown', '/help/unknown.md', '/help/index', '/help/..%2findex']) {
    const elsewhere = await open(path)
    deepEqual([elsewhere.status, elsewhere.headers.get('location')], [302, '/help'], path)
  }
})
