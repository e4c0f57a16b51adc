import assert from 'node:assert/strict'
import {readdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {before, describe, type TestContext, test} from 'node:test'
import {gzipSync} from 'node:zlib'
import {packTar, type TarEntry} from 'modern-tar'
import {CommandError} from '../../../cli/command.ts'
import {readFile} from '../../../cli/transfer/file.ts'
import {temporaryFolder, testRepository} from '../../lake/support/git.ts'
import {type Ran, transfer} from '../transfer/run.ts'

const LINE = '{"_id":"one","_type":"page","title":"One"}\n'

function file(name: string, body: string | Uint8Array = LINE): TarEntry {
  return {header: {name, size: Buffer.byteLength(body)}, body}
}

async function archiveOf(...entries: TarEntry[]): Promise<Buffer> {
  return gzipSync(await packTar(entries))
}

/** Imports a file with this name and content into a new repository. */
async function importFile(
  t: TestContext,
  name: string,
  bytes: string | Buffer,
): Promise<Ran & {dir: string}> {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, name), bytes)
  const dir = join(folder, 'content')
  return {...(await transfer('import', [join(folder, name), dir])), dir}
}

/** Asserts that a file with this name and content is refused for this reason. */
async function refused(t: TestContext, name: string, bytes: string | Buffer, reason: RegExp): Promise<void> {
  const path = join(await temporaryFolder(t), name)
  await writeFile(path, bytes)
  const read = async () => {
    for await (const _document of readFile(path));
  }
  await assert.rejects(read, (error: unknown) => {
    assert.ok(error instanceof CommandError)
    assert.match(error.message, reason)
    return true
  })
}

describe('archives', () => {
  let good: Buffer
  before(async () => {
    good = await archiveOf(
      {header: {name: 'x/images/', size: 0, type: 'directory'}},
      file('x/data.ndjson'),
      file('x/assets.json', '{}'),
      file('x/images/a-1x1.png', 'png'),
      file('x/files/b.pdf', 'pdf'),
    )
  })

  test('the files of assets are skipped', async (t) => {
    const {code, out, dir} = await importFile(t, 'x.tar.gz', good)
    assert.equal(code, 0)
    assert.match(out, /^Imported 1 document .*\n$/)
    assert.deepEqual(
      JSON.parse(await testRepository(dir).git('show', 'HEAD:page/one.json')),
      JSON.parse(LINE),
    )
  })

  test('an archive that was cut off is refused, wherever it ends', async (t) => {
    for (const length of [good.length - 1, good.length - 12, Math.floor(good.length / 2), 30, 5, 0])
      await refused(t, 'cut.tgz', good.subarray(0, length), /is damaged, cut off or not an archive/)
  })

  test('an archive that is refused imports nothing', async (t) => {
    const {code, error, out, dir} = await importFile(t, 'cut.tgz', good.subarray(0, -1))
    assert.match(error, /is damaged, cut off or not an archive/)
    assert.deepEqual([code, out, await testRepository(dir).git('for-each-ref')], [2, '', ''])
  })

  test('a link in an archive is not followed', async (t) => {
    const link: TarEntry = {
      header: {name: 'x/data.ndjson', size: 0, type: 'symlink', linkname: '/etc/passwd'},
    }
    await refused(t, 'x.tar.gz', await archiveOf(link), /contains no data.ndjson/)
  })

  test('an archive without documents, or with two files of them, is refused', async (t) => {
    await refused(t, 'x.tar.gz', await archiveOf(file('x/images/a.png')), /contains no data.ndjson/)
    const two = await archiveOf(file('x/data.ndjson'), file('x/more.ndjson'))
    await refused(t, 'x.tar.gz', two, /two files of documents, x\/data.ndjson and x\/more.ndjson/)
  })

  test('a file that is not an archive is refused', async (t) => {
    await refused(t, 'x.tar.gz', LINE, /is damaged, cut off or not an archive/)
    await refused(t, 'x.tar.gz', gzipSync(LINE.repeat(100)), /is damaged, cut off or not an archive/)
  })
})

describe('NDJSON', () => {
  test('the last newline may be missing, and lines may be empty or end like those of Windows', async (t) => {
    const {code, out} = await importFile(t, 'x.ndjson', `\n\ufeff${LINE}\r\n{"_id":"two","_type":"page"}\r`)
    assert.deepEqual([code, /^Imported 2 documents /.test(out)], [0, true], out)
  })

  test('a line that is not a document stops the import and is named', async (t) => {
    await refused(
      t,
      'x.ndjson',
      `${LINE}{"_id":"two`,
      /^x.ndjson, line 2: not valid JSON .* create it again$/,
    )
    await refused(t, 'x.ndjson', `${LINE}[]\n`, /^x.ndjson, line 2: not a JSON object$/)
    await refused(
      t,
      'x.ndjson',
      Buffer.from([0x22, 0xff, 0x22]),
      /^x.ndjson, line 1 or later: not UTF-8 text$/,
    )
    await refused(t, 'x.ndjson', ' '.repeat(33 * 1024 * 1024), /^x.ndjson, line 1: longer than/)
  })

  test('a file that does not exist, or has another extension, is refused before a repository is made', async (t) => {
    const folder = await temporaryFolder(t)
    const missing = await transfer('import', ['/missing.ndjson', join(folder, 'content')])
    assert.deepEqual([missing.code, missing.error], [2, '/missing.ndjson cannot be read (ENOENT)'])
    const other = await transfer('import', ['x.json', join(folder, 'content')])
    assert.match(other.error, /^FILE must end with/)
    assert.deepEqual(await readdir(folder), [])
  })
})
