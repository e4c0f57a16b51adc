import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {buildAsk, buildCalls, buildMake, buildPanel, buildReport, buildSnippet, buildTests} from './build.ts'
import {FILES, TOKEN_PLACEHOLDER} from './built.ts'

/** Builds the scripts that pages load into a folder, from which a service in an image reads them. */
export async function writeBuilt(dir: string): Promise<void> {
  const panel = await buildPanel()
  const texts = {
    [FILES.snippet]: (await buildSnippet()).text,
    [FILES.snippetWithToken]: (await buildSnippet({originTrialToken: TOKEN_PLACEHOLDER})).text,
    [FILES.calls]: (await buildCalls()).text,
    [FILES.ask]: (await buildAsk()).text,
    [FILES.report]: (await buildReport()).text,
    [FILES.panel]: panel.text,
    [FILES.make]: (await buildMake()).text,
    [FILES.tests]: (await buildTests()).text,
    [FILES.notices]: panel.notices,
  }
  await mkdir(dir, {recursive: true})
  for (const [name, text] of Object.entries(texts)) await writeFile(join(dir, name), text)
}

if (import.meta.main) {
  const [, , dir] = process.argv
  if (dir === undefined) throw new Error('Usage: node snippet/build/writeBuilt.ts FOLDER')
  await writeBuilt(dir)
}
