import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {before, describe, type TestContext, test} from 'node:test'
import {recordOf} from '../support/answers.ts'
import {eventually} from '../support/house.ts'
import {readStages, type Stage} from './support/dockerfile.ts'
import {filesIn, projectFile} from './support/files.ts'
import {runImage} from './support/image.ts'
import {readSettingNames} from './support/settings.ts'

/** Seconds for a start on a busy machine. */
const START = 60

async function stateFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-state-'))
  t.after(() => rm(dir, {recursive: true, force: true}))
  return dir
}

describe('the images', () => {
  let stages: Map<string, Stage>
  before(async () => {
    stages = await readStages()
  })

  function stage(name: string): Stage {
    const found = stages.get(name)
    assert.ok(found, `the Dockerfile has no stage ${name}`)
    return found
  }

  test('are made of files that exist, and that .dockerignore lets in', async () => {
    const [everything, ...exceptions] = (await readFile(projectFile('.dockerignore'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    assert.equal(everything, '*')
    const allowed = exceptions.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    for (const [name, {copies}] of stages)
      for (const {from, sources} of copies) {
        if (from !== undefined) assert.ok(stages.has(from), `${name} copies from a stage ${from}`)
        else
          for (const source of sources) {
            assert.ok(existsSync(projectFile(source)), source)
            const isAllowed = allowed.some((place) => source === place || source.startsWith(`${place}/`))
            assert.ok(isAllowed, `${source} is ignored`)
          }
      }
  })

  test('set variables that the code reads, run as a numbered user who is not root, and expose their port', async () => {
    const known = new Set([...(await readSettingNames()).values()].flat())
    for (const [name, variable] of [
      ['service', 'PORT'],
      ['lake', 'LAKE_PORT'],
    ] as const) {
      const {env, ports, user} = stage(name)
      const unknown = Object.keys(env).filter((key) => !known.has(key) && !key.startsWith('NODE_'))
      assert.deepEqual(unknown, [], name)
      assert.deepEqual(ports, [Number(env[variable])], name)
      assert.match(user ?? '', /^[1-9]\d*:[1-9]\d*$/, name)
    }
  })

  test('need no package that an installation for production lacks', async () => {
    const manifest = recordOf(JSON.parse(await readFile(projectFile('package.json'), 'utf8')))
    const installed = Object.keys(recordOf(manifest.dependencies))
    const runtime = await filesIn('service', 'lake', 'schemas/rules', 'studio/build')
    for (const file of [
      ...runtime,
      projectFile('snippet/build.ts'),
      projectFile('studio/serviceOrigin.ts'),
    ]) {
      const text = await readFile(file, 'utf8')
      for (const [, specifier = ''] of text.matchAll(/^import (?!type )[^;]*?'([^.'][^']*)'/gms)) {
        const name = specifier.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? ''
        const isThere = specifier.startsWith('node:') || installed.includes(name)
        assert.ok(isThere, `${file} imports ${specifier}`)
      }
    }
  })

  test('service: runs from its own files alone, is healthy, and ends with 0', async (t) => {
    const image = await runImage(t, stage('service'), 'PORT', {
      SNAPSHOT_DIR: join(await stateFolder(t), 'snapshots'),
      SANITY_API_HOST: 'http://127.0.0.1:1',
      DRAIN_SECONDS: '0',
    })
    await eventually(image.checkHealth, (code) => code === 0, START).catch(() => assert.fail(image.said()))
    const ready = await fetch(`${image.address}/readyz`)
    assert.equal(ready.status, 503, 'there is no lake')
    assert.equal((await fetch(`${image.address}/snippet.js`)).status, 200, 'the snippet is built')
    assert.equal(await image.stop(), 0)
    assert.equal(await image.checkHealth(), 1)
  })

  test('lake: runs from its own files alone, is healthy, serves the example, and ends with 0', async (t) => {
    const dir = await stateFolder(t)
    const image = await runImage(t, stage('lake'), 'LAKE_PORT', {
      CONTENT_DIR: join(dir, 'content'),
      EDITORS_FILE: join(dir, 'editors.json'),
    })
    await eventually(image.checkHealth, (code) => code === 0, START).catch(() => assert.fail(image.said()))
    const query = encodeURIComponent('count(*[_type == "tool"])')
    const answer = await fetch(`${image.address}/v2025-02-19/data/query/production?query=${query}`)
    assert.ok(Number(recordOf(await answer.json()).result) > 0)
    assert.equal(await image.stop(), 0)
    assert.equal(await image.checkHealth(), 1)
  })
})
