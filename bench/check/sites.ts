import {globSync} from 'node:fs'
import {mkdir, readFile, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {git} from '../../git/process.ts'

const SHOP = join(import.meta.dirname, '../../examples/shop/content')

const IDENTITY = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost']

/** A content repository that a check reads. */
export type Content = {
  /** Each site has the ten documents of the example shop: the site, six tools and three forms. */
  readonly sites: number
  /** How many times as long as the shop's each script and schema is. */
  readonly times: number
}

/** Writes and commits a repository in which no two documents have the same texts. */
export async function writeSites(folder: string, {sites, times}: Content): Promise<void> {
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
      return writeFile(join(folder, named), textOf(path, text, times).replaceAll(MARK, String(site)))
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
function textOf(path: string, text: string, times: number): string {
  const parts = Array.from({length: times}, (_, part) => part)
  if (path.endsWith('.js')) {
    const script = text.replaceAll('response', `response${MARK}`).replaceAll('/api/', `/api/${MARK}/`)
    if (times === 1) return script
    const partOf = (part: number) => (part === 0 ? script : script.replaceAll('args.', `args.part${part}_`))
    const functions = parts.map((part) => `async function part${part}() {\n${partOf(part)}}\n`).join('')
    return `${functions}return [${parts.map((part) => `await part${part}()`).join(', ')}]\n`
  }
  if (path.endsWith('.schema.json')) {
    const schema = text.replaceAll('"description": "', `"description": "Shop ${MARK}: `)
    const [, properties = ''] = /"properties": \{\n([\s\S]*?)\n {2}\}/.exec(schema) ?? []
    const added = parts.slice(1).map((part) => properties.replaceAll(/^ {4}"(?=\w)/gm, `    "part${part}_`))
    return properties === '' ? schema : schema.replace(properties, [properties, ...added].join(',\n'))
  }
  return text
    .replace(/("_id": "[^"]*)/, `$1-${MARK}`)
    .replace(/("_ref": "[^"]*)/, `$1-${MARK}`)
    .replace(/("publicId": "[^"]*)/, `$1-${MARK}`)
    .replace(/("description": ")/, `$1Shop ${MARK}: `)
}
