import {equal, notEqual} from 'node:assert/strict'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fingerprint, isFor} from '../../../studio/build/fingerprint.ts'

const target = {
  projectId: 'local',
  dataset: 'production',
  apiHost: '/',
  serviceOrigin: 'http://localhost:3000',
}

async function project(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'handrail-studio-'))
  t.after(() => rm(root, {recursive: true}))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), {recursive: true})
    await writeFile(join(root, path), text)
  }
  await write('studio/sanity.config.ts', 'config')
  await write('schemas/rules/name.ts', 'rule')
  for (const name of ['actions', 'making', 'advice', 'verdicts']) await write(`${name}/words.ts`, name)
  await write('snippet/previewLink.ts', 'link')
  await write('common/build/thirdParty.ts', 'notices')
  await write('common/errorMessage.ts', 'message')
  await write('common/json.ts', 'json')
  await write('common/text/mergePatches.ts', 'merge')
  await write('package-lock.json', '{}')
  return {root, write}
}

test('every input of the bundle changes the digest', async (t) => {
  const {root, write} = await project(t)
  const seen = new Set([await fingerprint(root, target)])
  const changes: [string, string][] = [
    ['studio/sanity.config.ts', 'other'],
    ['studio/structure/site.ts', 'new'],
    ['schemas/rules/name.ts', 'stricter'],
    ['advice/words.ts', 'other'],
    ['snippet/previewLink.ts', 'other'],
    ['common/build/thirdParty.ts', 'other'],
    ['common/errorMessage.ts', 'other'],
    ['common/text/mergePatches.ts', 'other'],
    ['package-lock.json', '{"lockfileVersion": 3}'],
  ]
  for (const [path, text] of changes) {
    await write(path, text)
    seen.add(await fingerprint(root, target))
  }
  const others = [
    {projectId: 'a'},
    {dataset: 'b'},
    {apiHost: undefined},
    {serviceOrigin: 'https://tools.example'},
  ]
  for (const other of others) seen.add(await fingerprint(root, {...target, ...other}))
  equal(seen.size, 1 + changes.length + others.length)
})

test('build output and unrelated folders do not change the digest', async (t) => {
  const {root, write} = await project(t)
  const before = await fingerprint(root, target)
  for (const path of [
    'studio/.sanity/runtime/app.js',
    'studio/dist/index.html',
    'studio/node_modules/a.js',
    'lake/lake.ts',
  ]) {
    await write(path, 'something')
  }
  equal(await fingerprint(root, target), before)
})

test('moving text from one file to the next changes the digest', async (t) => {
  const {root, write} = await project(t)
  await write('schemas/a.ts', 'ab')
  await write('schemas/b.ts', '')
  const before = await fingerprint(root, target)
  await write('schemas/a.ts', 'a')
  await write('schemas/b.ts', 'b')
  notEqual(await fingerprint(root, target), before)
})

test('a package without the sources of Studio knows which content its Studio was built for', async (t) => {
  const {root} = await project(t)
  const found = await fingerprint(root, target)
  equal(isFor(target, found), true)
  for (const other of [{projectId: 'abc123'}, {dataset: 'staging'}])
    equal(isFor({...target, ...other}, found), false)
})
