import assert from 'node:assert/strict'
import {existsSync, globSync, readFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {dirname, posix} from 'node:path'
import {before, describe, test} from 'node:test'
import {readStages, type Stage} from './support/dockerfile.ts'
import {projectFile} from './support/files.ts'
import {readSettingNames} from './support/settings.ts'

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

  test('are made of files that exist and that .dockerignore includes', async () => {
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

  test('the stage of Studio has every file that its build imports', async () => {
    const copied = stage('studio').copies.flatMap(({sources}) => sources)
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
      const {env, ports, user} = stage(name)
      const unknown = Object.keys(env).filter((key) => !known.has(key) && !/^(NODE|MALLOC)_/.test(key))
      assert.deepEqual(unknown, [], name)
      assert.deepEqual(ports, [Number(env[variable])], name)
      assert.match(user ?? '', /^[1-9]\d*:[1-9]\d*$/, name)
    }
  })
})
