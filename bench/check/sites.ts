import {globSync} from 'node:fs'
import {mkdir, readFile, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {git} from '../../git/process.ts'

const SHOP = join(import.meta.dirname, '../../examples/shop/content')

const IDENTITY = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost']

/**
 * Writes and commits a repository in which no two documents have the same texts.
 * @param sites each has the eleven documents of the example shop: the site, six tools and four forms
 */
export async function writeSites(folder: string, sites: number): Promise<void> {
  const files = await Promise.all(
    globSync(['lake.json', '*/*'], {cwd: SHOP}).map(async (path) => {
      return {path, text: await readFile(join(SHOP, path), 'utf8')}
    }),
  )
  for (const {path} of files) await mkdir(join(folder, dirname(path)), {recursive: true})
  for (let site = 0; site < sites; site += 1) {
    const written = files.map(({path, text}) => {
      const named = path.replace('.', `-${site}.`)
      if (path === 'lake.json') return writeFile(join(folder, path), text)
      return writeFile(join(folder, named), textOf(path, text).replaceAll(MARK, String(site)))
    })
    await Promise.all(written)
  }
  await git(folder, ['init', '--quiet', '--initial-branch=main'])
  await git(folder, ['add', '--all'])
  await git(folder, [...IDENTITY, 'commit', '--quiet', '--message', 'Add sites'])
}

/** Stands for the number of the site. */
const MARK = '\u{1F6D2}'

/** The text of a file for one of many sites. */
function textOf(path: string, text: string): string {
  if (path.endsWith('.js'))
    return text.replaceAll('response', `response${MARK}`).replaceAll('/api/', `/api/${MARK}/`)
  if (path.endsWith('.schema.json'))
    return text.replaceAll('"description": "', `"description": "Shop ${MARK}: `)
  return text
    .replace(/("_id": "[^"]*)/, `$1-${MARK}`)
    .replace(/("_ref": "[^"]*)/, `$1-${MARK}`)
    .replace(/("publicId": "[^"]*)/, `$1-${MARK}`)
    .replace(/("description": ")/, `$1Shop ${MARK}: `)
}
