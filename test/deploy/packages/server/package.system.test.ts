import {deepEqual, equal, match, ok} from 'node:assert/strict'
import {mkdtemp, readFile, rm, stat, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {packServer} from '../../../../deploy/packages/pack.ts'
import {eventually} from '../../../support/eventually.ts'
import {runHouse} from '../../../support/house.ts'
import {siteDocument, toolDocument} from '../../../support/shop.ts'
import {projectFile} from '../../support/files.ts'
import {type Installed, install, run} from '../support.ts'

describe('the package @handrail/server', () => {
  let directory: string
  let server: Installed
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'handrail-package-'))
    server = await install(await packServer(directory), directory)
    await symlink(projectFile('node_modules/fastify'), join(directory, 'node_modules/fastify'))
  })
  after(() => rm(directory, {recursive: true, force: true}))

  test('is one module of at most 6 kB that needs no other package, nor Node', async () => {
    const module = join(server.folder, 'handrail.js')
    ok((await stat(module)).size <= 6_000)
    equal(/\b(?:import|require|process|Buffer)\b/.test(await readFile(module, 'utf8')), false)
    deepEqual(server.manifest.dependencies, {})
  })

  test('has types', async () => {
    const page = join(directory, 'page.ts')
    const uses = `import {createHandrail} from '@handrail/server'
const {toolsFor} = createHandrail({service: 'https://tools.example', site: 'a'})
const tools: Promise<string> = toolsFor(new Request('https://shop.example/'))
tools.then((text: number) => text)
`
    await writeFile(page, uses)
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'nodenext', 'page.ts']
    const {output} = await run(projectFile('node_modules/typescript/bin/tsc'), options, {cwd: directory})
    match(output, /^page\.ts\(4,12\): error TS2345[\s\S]*'string' is not assignable to type 'number'/)
    equal(output.match(/error TS/g)?.length, 1, output)
  })

  test('writes what the service responds into pages of Fastify, with the code of the guide', async (t) => {
    const house = await runHouse(t, [
      siteDocument(),
      toolDocument({name: 'showHats', description: 'Hats </script>'}),
    ])
    const config = async () => (await house.config('shop-public', '/')).text()
    await eventually(config, /showHats/)
    const guide = await readFile(projectFile('docs/in-the-html.md'), 'utf8')
    const [, code = ''] = guide.match(/```js\n(import Fastify[\s\S]*?)```/) ?? []
    const page = '<head><!-- tools --><script src="snippet.js"></script></head>'
    const script = join(directory, 'pages.mjs')
    // The first page waits for as long as a process needs that has just started.
    const options = `service: '${house.serviceAddress}', site: 'shop-public', timeout: 10_000`
    await writeFile(
      script,
      `${code.replace(`service: 'https://tools.example', site: 'PUBLIC_ID'`, options)}
app.get('/hats', (request, reply) => reply.type('text/html').send('${page}'))
app.get('/text', (request, reply) => reply.type('text/plain').send('${page}'))
for (const url of ['/hats?a', '/hats', '/text']) console.log((await app.inject({url})).body)`,
    )
    const {code: status, output} = await run(script, [], {cwd: directory})
    equal(status, 0, output)
    const [html = '', again, text] = output.split('\n')
    equal(again, html)
    equal(text, page)
    const [, attributes = '', json = ''] =
      html.match(/^<head><script ([^>]*)>([^<]*)<\/script><script src/) ?? []
    match(attributes, /data-handrail="shop-public" data-path="\/hats" data-tag="[^"]+" data-at="20[^"]+Z"/)
    deepEqual(JSON.parse(json), JSON.parse(await config()))
  })
})
