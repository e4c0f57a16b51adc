import {readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {brotliCompress, constants, gzip} from 'node:zlib'

const COMPRESSIBLE = /\.(?:js|css|svg|json|webmanifest)$/
/** Brotli's best takes a minute for Studio; this takes two seconds and is 8 % larger. */
const BROTLI_QUALITY = 6

/** Puts a compressed copy beside each file that shrinks: `NAME.br` and `NAME.gz`. Answers how many bytes travel. */
export async function compressAll(directory: string): Promise<number> {
  let bytes = 0
  const entries = await readdir(directory, {withFileTypes: true, recursive: true})
  // zlib works in threads: all files at once keep them busy.
  await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) return
      const path = join(entry.parentPath, entry.name)
      const content = await readFile(path)
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, {params: {[constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY}}),
        promisify(gzip)(content),
      ])
      bytes += br.byteLength
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
    }),
  )
  return bytes
}
