import {cp, readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {bundle} from '../bundle.ts'
import {writeManifest} from '../manifest.ts'
import {PLAYWRIGHT_FILES} from '../parts.ts'
import {withAdvice} from '../texts.ts'

/** pino starts threads by the names of its files, and finds its printer by name. Playwright is large, and only for tests of tools. */
const OUTSIDE = ['pino', 'pino-pretty', '@playwright/test']

/** What the program starts as a thread or a process. */
const PROGRAMS = [
  'git/launcher/program.ts',
  'service/site/readToolWorker.ts',
  'service/preview/drafts/worker.ts',
  ...PLAYWRIGHT_FILES,
]

/** The demo shop. */
const FOLDERS = ['examples/shop/assets', 'examples/shop/content']

/**
 * Writes the package `handrail`: lake, service, demo shop, commands and a built Studio.
 * @param studio the folder with the built Studio
 */
export async function writeHandrail(output: string, studio: string): Promise<void> {
  const entry = 'deploy/packages/handrail/handrail.mjs'
  await bundle({entry, output, folder: 'lib', outside: OUTSIDE, programs: PROGRAMS, folders: FOLDERS})
  await copyStudio(studio, join(output, '.handrail/studio'))
  await writeManifest(output, OUTSIDE, {
    name: 'handrail',
    description: 'Manages the tools that a website offers to AI agents (WebMCP) in Sanity Studio, over Git',
    bin: {handrail: 'lib/handrail.mjs'},
  })
}

/** The guides that Studio shows name commands, too. */
async function copyStudio(from: string, to: string): Promise<void> {
  await cp(from, to, {recursive: true})
  for (const name of await readdir(join(to, 'help'))) {
    const page = join(to, 'help', name)
    await writeFile(page, withAdvice(await readFile(page, 'utf8')))
  }
}
