import {spawnSync} from 'node:child_process'
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {DOCS, MANIFEST, PICTURES, sources, type Texts} from './pictures.ts'

// Takes the pictures of the docs in the tests that show the same. "npm run pictures -- FOLDER" takes those of Studio's pages at
// three widths, light and dark, into a folder that is not in the repository.
const ROOT = join(import.meta.dirname, '../..')
const SHORTEST_TEXT = 8

const [screens] = process.argv.slice(2)
if (screens !== undefined) mkdirSync(screens, {recursive: true})
const folder = screens === undefined ? mkdtempSync(join(tmpdir(), 'handrail-pictures-')) : resolve(screens)
const runner = join(ROOT, 'test/runner/main.ts')
const tests =
  screens === undefined
    ? new Set(Object.values(PICTURES).map(({test}) => test))
    : ['test/studio/keyboard.browser.test.ts']
const {status} = spawnSync(process.execPath, [runner, ...tests], {
  stdio: 'inherit',
  env: {...process.env, SCREENSHOTS: folder},
})
if (status !== 0) throw new Error('A test failed: no picture was changed.')
if (screens !== undefined) process.exit()
const known = sources()
const texts: Texts = {}
for (const [name, {from}] of Object.entries(PICTURES)) {
  copyFileSync(join(folder, from), join(DOCS, name))
  const shown = readFileSync(join(folder, `${from}.txt`), 'utf8').match(/(?<=: |")[^"\n]+/g) ?? []
  texts[name] = [...new Set(shown)].filter((text) => text.length >= SHORTEST_TEXT && known.includes(text))
}
writeFileSync(MANIFEST, `${JSON.stringify(texts, null, 2)}\n`)
rmSync(folder, {recursive: true})
