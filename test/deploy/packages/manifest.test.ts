import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {writeManifest} from '../../../deploy/packages/manifest.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

test('a package names the repository that the release workflow sets, which npm compares with the provenance', async (t) => {
  const output = await temporaryFolder(t)
  const description = {name: 'handrail', description: 'Tools', bin: {handrail: 'lib/handrail.mjs'}}
  const project = {
    version: '1.2.3',
    license: 'MIT',
    dependencies: {pino: '1.0.0'},
    devDependencies: {'playwright-core': '2.0.0'},
  }
  const written = async (repository?: string) => {
    await writeManifest(output, ['pino', 'playwright-core'], description, {...project, repository})
    return JSON.parse(await readFile(join(output, 'package.json'), 'utf8'))
  }
  const {repository, version, dependencies, peerDependencies, bundleDependencies} =
    await written('github:example/handrail')
  assert.deepEqual(
    [repository, version, dependencies, peerDependencies, bundleDependencies],
    ['github:example/handrail', '1.2.3', {pino: '1.0.0'}, {'playwright-core': '^2.0.0'}, ['pino']],
  )
  assert.equal('repository' in (await written()), false)
})
