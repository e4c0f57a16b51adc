import assert from 'node:assert/strict'
import {existsSync, globSync, readFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {dirname, posix} from 'node:path'
import {describe, test} from 'node:test'
import {readStage, readStages} from './support/dockerfile.ts'
import {projectFile} from './support/files.ts'
import {readSettingNames} from './support/settings.ts'

describe('the images', () => {
  test('are made of files that exist and that .dockerignore includes', async () => {
    const [everything, ...exceptions] = (await readFile(projectFile('.dockerignore'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    assert.equal(everything, '*')
    const allowed = exceptions.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    const stages = await readStages()
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

  test('the stage with the source has every file that it imports', async () => {
    const copied = (await readStage('source')).copies.flatMap(({sources}) => sources)
    const has = (path: string) => copied.some((source) => path === source || path.startsWith(`${source}/`))
    const files = copied
      .filter((source) => !source.includes('.'))
      .flatMap((source) => globSync(`${source}/**/*.{ts,tsx}`, {cwd: projectFile('.')}))
    const missing = files
      .filter((file) => !file.includes('node_modules'))
      .flatMap((file) => {
        const text = readFileSync(projectFile(file), 'utf8')
        return [...text.matchAll(/ from '(\.{1,2}\/[^']+)'/g)].map(([, path = '']) =>
          posix.join(dirname(file), path),
        )
      })
      .filter((path) => !has(path))
    assert.deepEqual([...new Set(missing)], [])
  })

  test('set only variables that the code reads, run as a numeric non-root user, and expose their port', async () => {
    const known = new Set([...(await readSettingNames()).values()].flat())
    for (const [name, variable] of [
      ['service', 'PORT'],
      ['lake', 'LAKE_PORT'],
    ] as const) {
      const {env, ports, user} = await readStage(name)
      const unknown = Object.keys(env).filter((key) => !known.has(key) && !/^(NODE|MALLOC)_/.test(key))
      assert.deepEqual(unknown, [], name)
      assert.deepEqual(ports, [Number(env[variable])], name)
      assert.match(user ?? '', /^[1-9]\d*:[1-9]\d*$/, name)
    }
  })

  test('can be built from mirrors of npm and of the base images', async () => {
    assert.doesNotMatch(await readFile(projectFile('package-lock.json'), 'utf8'), /"resolved": "\w+:/)
    const [, ...stages] = (await readFile(projectFile('Dockerfile'), 'utf8')).split(/^FROM /m)
    for (const stage of stages) {
      assert.match(stage, /^(?:(?:--platform=\S+ )?\$\{(?:NODE|DISTROLESS)\}|source) AS /)
      assert.equal(stage.includes('npm ci'), stage.includes('\nARG NPM_CONFIG_REGISTRY\n'))
    }
  })

  test('have the Node on which tests run', async () => {
    const own = (await readFile(projectFile('.nvmrc'), 'utf8')).trim()
    const dockerfile = await readFile(projectFile('Dockerfile'), 'utf8')
    assert.ok(dockerfile.includes(`\nARG NODE=node:${own}-`))
    assert.ok(dockerfile.includes(`distroless/nodejs${own.split('.')[0]}-`))
  })
})
