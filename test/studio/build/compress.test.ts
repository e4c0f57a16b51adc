import {deepEqual, equal} from 'node:assert/strict'
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import {compressAll} from '../../../studio/build/build.ts'

test('text files get compressed copies next to them, pictures and pages do not', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-compress-'))
  t.after(() => rm(folder, {recursive: true}))
  const text = 'export const a = 1\n'.repeat(100)
  await mkdir(join(folder, 'static'))
  await writeFile(join(folder, 'static/a.js'), text)
  await writeFile(join(folder, 'static/b.png'), 'picture')
  await writeFile(join(folder, 'index.html'), 'page')
  const bytes = await compressAll(folder)
  deepEqual((await readdir(join(folder, 'static'))).sort(), ['a.js', 'a.js.br', 'a.js.gz', 'b.png'])
  deepEqual((await readdir(folder)).sort(), ['index.html', 'static'])
  const brotli = await readFile(join(folder, 'static/a.js.br'))
  equal(brotli.byteLength, bytes)
  equal(brotliDecompressSync(brotli).toString(), text)
  equal(gunzipSync(await readFile(join(folder, 'static/a.js.gz'))).toString(), text)
})
