import {match, throws} from 'node:assert/strict'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {createRequire} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {thirdPartyFile} from '../../../studio/build/notices.ts'

const packages = createRequire(import.meta.url)

/** Runs the plugin on one chunk with these modules, by the characters that are left of each. */
function emitted(modules: Record<string, number>, all: string[] = []): string {
  let text = ''
  const chunk = Object.entries(modules).map(([id, renderedLength]) => [id, {renderedLength}] as const)
  const context = {
    emitFile: ({fileName, source}: {fileName: string; source: string}) => {
      text = `${fileName}\n${source}`
    },
    getModuleIds: () => all,
  }
  const output = {
    'a.js': {type: 'chunk', modules: Object.fromEntries(chunk)},
    'b.css': {type: 'asset'},
  } as const
  thirdPartyFile().generateBundle.call(context, {}, output)
  return text
}

test('a bundle of Studio has a file with the licenses of what it contains', () => {
  const text = emitted({[packages.resolve('preact')]: 10, [packages.resolve('picomatch')]: 0})
  match(text, /^third-party\.txt\n[\s\S]*^preact [\d.]+ \(MIT\)$/m)
  match(text, /^(?![\s\S]*picomatch)/, 'nothing of it is left')
})

test('styles count too, and a package without a notice fails the build', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'handrail-packages-'))
  t.after(() => rm(root, {recursive: true}))
  const folder = join(root, 'node_modules/nameless')
  await mkdir(folder, {recursive: true})
  await writeFile(join(folder, 'package.json'), '{"name": "nameless", "version": "1.0.0"}')
  throws(() => emitted({}, [join(folder, 'style.css')]), /package nameless 1\.0\.0/)
})
