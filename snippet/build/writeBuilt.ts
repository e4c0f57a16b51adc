import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {buildModules, buildSnippet} from './build.ts'
import {FILES, fileOf, TOKEN_PLACEHOLDER} from './built.ts'

/** Builds the scripts that pages load into a folder, from which a service in an image reads them. */
export async function writeBuilt(dir: string): Promise<void> {
  await mkdir(dir, {recursive: true})
  const write = (name: string, text: string) => writeFile(join(dir, name), text)
  await write(FILES.snippet, (await buildSnippet()).text)
  await write(FILES.snippetWithToken, (await buildSnippet({originTrialToken: TOKEN_PLACEHOLDER})).text)
  for (const [name, {text, notices}] of await buildModules()) {
    await write(fileOf(name), text)
    if (name === 'panel') await write(FILES.notices, notices)
  }
}

if (import.meta.main) {
  const [, , dir] = process.argv
  if (dir === undefined) throw new Error('Usage: node snippet/build/writeBuilt.ts FOLDER')
  void writeBuilt(dir)
}
