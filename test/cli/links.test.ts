import {deepEqual, equal, match} from 'node:assert/strict'
import {mkdir, readdir, rm, symlink} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {temporaryFolder, temporaryWorkTree} from '../lake/support/git.ts'
import {GOOD_FILES} from '../support/brokenRepositories/documents.ts'
import {content} from './support/run.ts'

test('no command writes through a symbolic link of the content', async (t) => {
  const {directory, commit} = await temporaryWorkTree(t)
  await commit(GOOD_FILES)
  const elsewhere = await temporaryFolder(t)
  const refused = async (args: readonly string[], link: string) => {
    const {code, error} = await content(args, directory)
    equal(code, 2)
    match(error, new RegExp(`${link} is a symbolic link, and nothing is written through one`))
    deepEqual(await readdir(elsewhere), [])
  }
  await symlink(elsewhere, join(directory, '.schema'))
  await refused(['schema'], '\\.schema')
  await rm(join(directory, '.schema'))
  await mkdir(join(directory, '.schema'))
  await symlink(join(elsewhere, 'bashrc'), join(directory, '.schema/site.json'))
  await refused(['schema'], '\\.schema/site\\.json')
  await rm(join(directory, 'tool'), {recursive: true})
  await symlink(elsewhere, join(directory, 'tool'))
  await refused(['new', 'tool', '--recipe', 'lookUp', '--name', 'bashrc'], 'tool')
})
