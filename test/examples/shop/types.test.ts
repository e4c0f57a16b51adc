import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {cp, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {SHOP_CONTENT} from '../../support/shop.ts'

const run = promisify(execFile)
const TSC = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))

test('TypeScript checks each script of a content repository with the arguments of its own tool', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-types-'))
  t.after(() => rm(directory, {recursive: true, force: true}))
  await cp(SHOP_CONTENT, directory, {recursive: true})
  const check = async (project: string) => {
    await run(process.execPath, ['types.mjs'], {cwd: directory})
    return run(TSC, ['--project', project], {cwd: directory}).then(
      () => '',
      (error: unknown) => String(Reflect.get(Object(error), 'stdout')),
    )
  }
  assert.equal(await check('.types'), '')
  assert.equal(await check('jsconfig.json'), '', 'an editor reports nothing')
  assert.match(await readFile(join(directory, '.types/editor.d.ts'), 'utf8'), /"query"\?: string/)

  const script = join(directory, 'tool/tool-add-to-cart.js')
  const text = await readFile(script, 'utf8')
  await writeFile(script, `// one\n${text.replace('args.productId', 'args.query')}`)
  const line = 2 + text.slice(0, text.indexOf('args.productId')).split('\n').length
  assert.match(
    await check('.types'),
    new RegExp(
      `^\\.types/tool-add-to-cart\\.js\\(${line},\\d+\\): error TS2339: Property 'query' does not exist`,
    ),
  )
})
