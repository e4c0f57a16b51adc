import {deepEqual, doesNotMatch, equal, match} from 'node:assert/strict'
import {cp, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {pino} from 'pino'
import {packContent} from '../../../deploy/packages/pack.ts'
import {startShop} from '../../../examples/shop/shop.ts'
import {temporaryWorkTree} from '../../lake/support/git.ts'
import {GOOD_FILES, TOOL, text} from '../../support/brokenRepositories/documents.ts'
import {projectFile} from '../support/files.ts'
import {FOLDER, type Installed, install, run} from './support.ts'

describe('the package @handrail/content', () => {
  let directory: string
  let content: Installed
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), FOLDER))
    content = await install(await packContent(directory), directory)
  })
  after(() => rm(directory, {recursive: true, force: true}))

  test('needs no other package, except Playwright for tests of tools', async (t) => {
    deepEqual(content.manifest.dependencies, {})
    deepEqual(content.manifest.peerDependenciesMeta, {'@playwright/test': {optional: true}})
    const {directory: cwd, commit} = await temporaryWorkTree(t)
    await commit({
      ...GOOD_FILES,
      'tool/menu.json': text({...TOOL, tests: [{_key: 'a', title: 'It works', page: '/menu'}]}),
    })
    const {code, output} = await run(content.command, ['test', '--base-url', 'http://127.0.0.1:1'], {cwd})
    equal(code, 2, output)
    match(output, /npm install @playwright\/test@\^\d/)
  })

  test('accepts a good repository, and names what is wrong in a broken one', async (t) => {
    const {directory: cwd, commit, write} = await temporaryWorkTree(t)
    await commit(GOOD_FILES)
    deepEqual(await run(content.command, ['check'], {cwd}), {
      code: 0,
      output: '3 documents: nothing to report.\n',
    })
    await write('tool/menu.js', 'return (\n')
    const {code, output} = await run(content.command, ['check'], {cwd})
    equal(code, 1)
    match(output, /^tool\/menu\.js\n +1:9 +error +Script: The script cannot be read/m)
    match(
      (await run(content.command, ['diff', 'HEAD'], {cwd})).output,
      /#### Gone tool: `showMenu` on `\/menu`/,
    )
  })

  test('has a skill for coding agents, and the commands that it names', async (t) => {
    const skill = await readFile(join(content.folder, 'skills/handrail-content/SKILL.md'), 'utf8')
    match(skill, /^---\nname: handrail-content\ndescription: .{1,1024}\n---\n/)
    match(skill, /`AGENTS\.md`/)
    const named = new Set(Array.from(skill.matchAll(/`handrail-content ([a-z]+)/g), ([, name = '']) => name))
    deepEqual([...named], ['schema', 'new', 'check', 'test'])
    for (const name of named) {
      const {output} = await run(content.command, [name, '--help'], {cwd: directory})
      match(output, new RegExp(`^Usage: content ${name} `))
    }
    const {directory: cwd, commit} = await temporaryWorkTree(t)
    await commit(GOOD_FILES)
    const input = 'fetch("https://cafe.example/api/teas?q=mint")'
    const {output} = await run(content.command, ['new', 'tool', '--request', '-'], {cwd, input})
    match(output, /^tool\/search-teas\.json\n/)
  })

  test('has the types of window.handrail', async () => {
    const page = join(directory, 'page.ts')
    const uses = 'const tools: string[] | undefined = window.handrail?.sites.shop?.tools\n'
    await writeFile(page, `/// <reference types="@handrail/content" />\n${uses}document.title = tools\n`)
    const options = ['--noEmit', '--strict', '--ignoreConfig', 'page.ts']
    const {output} = await run(projectFile('node_modules/typescript/bin/tsc'), options, {
      cwd: directory,
    })
    match(output, /^page\.ts\(3,1\): error TS2322: Type 'string\[\] \| undefined'/)
    doesNotMatch(output, /TS(?!2322)/)
  })

  test('runs the tests of tools, and is a fixture for other suites, with the Playwright of the folder', async (t) => {
    for (const name of ['@playwright', 'playwright', 'playwright-core'])
      await symlink(projectFile(`node_modules/${name}`), join(directory, 'node_modules', name))
    for (const name of ['examples/playwright', 'examples/shop/content'])
      await cp(projectFile(name), join(directory, name), {recursive: true})
    const shop = await startShop({
      host: '127.0.0.1',
      port: 0,
      serviceOrigin: 'http://127.0.0.1:9',
      publicId: 'demo-shop',
      logger: pino({level: 'silent'}),
    })
    t.after(() => shop.close())
    const options = {cwd: directory, env: {BASE_URL: shop.address}}
    const example = await run(
      projectFile('node_modules/@playwright/test/cli.js'),
      ['test', '--config', 'examples/playwright', '--timeout', '900000'],
      options,
    )
    match(example.output, /^ +2 passed/m)
    const types = [
      '--noEmit',
      '--strict',
      '--ignoreConfig',
      '--skipLibCheck',
      'examples/playwright/tools.spec.ts',
    ]
    deepEqual(await run(projectFile('node_modules/typescript/bin/tsc'), types, options), {
      code: 0,
      output: '',
    })
    const args = [
      'test',
      'examples/shop/content',
      '--base-url',
      shop.address,
      '--timeout',
      '900000',
      '--grep',
      'searchProducts',
    ]
    match((await run(content.command, args, options)).output, /^4 tests of 1 tool on 2 pages: all passed/m)
  })
})
