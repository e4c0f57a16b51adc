import assert from 'node:assert/strict'
import {existsSync, globSync, readFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {dirname, posix} from 'node:path'
import {describe, test} from 'node:test'
import {readInstructions, readStage, readStages} from './support/dockerfile.ts'
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

  test('the stage of Studio has every file that its build imports', async () => {
    const copied = (await readStage('studio')).copies.flatMap(({sources}) => sources)
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

  // Linters for Dockerfiles are not on npm: these are the rules of hadolint that could be broken here.
  test('break no rule of hadolint', async () => {
    const instructions = await readInstructions()
    const of = (name: string) => instructions.filter(([word]) => word === name).map(([, rest]) => rest)
    const bases = of('ARG').filter((arg) => /^(?:NODE|DISTROLESS)=/.test(arg))
    assert.equal(bases.length, 2)
    for (const base of bases)
      assert.match(base, /(?:@sha256:[0-9a-f]{64}|:(?!latest)[\w.-]+)$/, 'DL3006, DL3007')
    for (const base of of('FROM')) assert.match(base, /\$\{(?:NODE|DISTROLESS)\} AS \w+$/)
    assert.deepEqual([...of('ADD'), ...of('MAINTAINER')], [], 'DL3020, DL4000')
    for (const folder of of('WORKDIR')) assert.match(folder, /^\//, 'DL3000')
    for (const command of of('RUN')) {
      assert.doesNotMatch(
        command,
        /\bsudo\b|\bapt(?: |-get upgrade)|\bnpm install\b|\bcd \//,
        'DL3004, DL3027',
      )
      if (!command.includes('apt-get install')) continue
      assert.match(command, /apt-get install -y --no-install-recommends/, 'DL3014, DL3015')
      assert.match(command, /rm -rf \/var\/lib\/apt\/lists\/\*/, 'DL3009')
    }
    for (const [name, {command, healthcheck}] of await readStages())
      if (command.length > 0) assert.ok(healthcheck.length > 0, name)
    for (const rest of [...of('ARG'), ...of('ENV')])
      assert.doesNotMatch(rest, /\w*(?:TOKEN|SECRET|PASSWORD)=/)
  })

  test('have the Node on which tests run', async () => {
    const own = (await readFile(projectFile('.nvmrc'), 'utf8')).trim()
    assert.ok((await readInstructions()).some(([, rest]) => rest.startsWith(`NODE=node:${own}-`)))
    const [major] = own.split('.')
    assert.ok((await readInstructions()).some(([, rest]) => rest.includes(`distroless/nodejs${major}-`)))
  })
})
