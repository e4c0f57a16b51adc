import assert from 'node:assert/strict'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {thirdPartyNotices} from '../../../common/build/thirdParty.ts'

/** Installs packages into a folder: their manifests, and their license files. */
async function install(
  t: TestContext,
  packages: Record<string, [manifest: object, files: Record<string, string>]>,
) {
  const root = await mkdtemp(join(tmpdir(), 'handrail-packages-'))
  t.after(() => rm(root, {recursive: true}))
  for (const [name, [manifest, files]] of Object.entries(packages)) {
    const folder = join(root, 'node_modules', name)
    await mkdir(folder, {recursive: true})
    await writeFile(join(folder, 'package.json'), JSON.stringify({name, version: '1.2.3', ...manifest}))
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  }
  return (path: string) => join(root, 'node_modules', path)
}

test('every package of a bundle is listed once, with its license, and other modules are not', async (t) => {
  const at = await install(t, {
    plain: [{license: 'MIT'}, {'LICENSE.md': 'Copyright Plain', NOTICE: 'Plain notice', 'index.js': ''}],
    '@scope/scoped': [{license: 'BSD-3-Clause'}, {licence: 'Copyright Scoped'}],
    'plain/node_modules/inner': [{name: 'inner', license: 'ISC'}, {COPYING: 'Copyright Inner'}],
    unused: [{license: 'GPL-3.0'}, {LICENSE: 'Copyright Unused'}],
  })
  const text = thirdPartyNotices([
    at('plain/index.js'),
    `\0${at('plain/other.js')}?commonjs-module`,
    at('@scope/scoped/dist/index.js'),
    at('plain/node_modules/inner/index.js'),
    '/project/studio/start.ts',
    '\0vite/preload-helper.js',
  ])
  const titles = [...text.matchAll(/^-{80}\n(.*)\n-{80}$/gm)].map(([, title]) => title)
  assert.deepEqual(titles, ['@scope/scoped 1.2.3 (BSD-3-Clause)', 'inner 1.2.3 (ISC)', 'plain 1.2.3 (MIT)'])
  for (const notice of ['Copyright Plain', 'Plain notice', 'Copyright Scoped', 'Copyright Inner'])
    assert.equal(text.split(notice).length, 2, notice)
})

test('a package that only names its license gets the text of it, with its author', async (t) => {
  const at = await install(t, {
    named: [{license: 'MIT', author: {name: 'Ada'}, homepage: 'https://named.example'}, {}],
    unnamed: [{license: 'ISC'}, {}],
  })
  const text = thirdPartyNotices([at('named/index.js'), at('unnamed/index.js')])
  assert.match(text, /Copyright \(c\) Ada \(https:\/\/named\.example\)\n\nPermission is hereby granted/)
  assert.match(text, /Copyright \(c\) the authors of unnamed\n\nPermission to use/)
})

test('a license in a readme is listed, without the rest of it', async (t) => {
  const readme =
    '# Use\n\nCall it.\n\n### License\n\nCopyright (C) 2014 Ada\n\n  * Redistributions\n\n# More\n\nNothing.\n'
  const at = await install(t, {told: [{license: 'BSD-2-Clause'}, {'README.md': readme}]})
  const text = thirdPartyNotices([at('told/index.js')])
  assert.match(text, /-\n\nCopyright \(C\) 2014 Ada\n\n {2}\* Redistributions$/)
})

test('a package without a notice cannot be bundled', async (t) => {
  const at = await install(t, {
    nameless: [{}, {'README.md': 'Do what you want'}],
    apache: [{license: 'Apache-2.0'}, {}],
  })
  for (const name of ['nameless', 'apache'])
    assert.throws(
      () => thirdPartyNotices([at(`${name}/index.js`)]),
      new RegExp(`package ${name} 1.2.3 .* no license file`),
    )
})
