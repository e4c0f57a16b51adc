import {cp, mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {bundle} from '../bundle.ts'
import {writeManifest} from '../manifest.ts'
import {PLAYWRIGHT_FILES, ROOT} from '../parts.ts'
import {sourceText} from '../texts.ts'

const ENTRY = 'cli/content.mjs'
/** Large, and only for tests of tools. */
const OUTSIDE = ['@playwright/test']
/** Loaded by name: Git, the thread that compiles tools, and the files of Playwright Test. */
const PROGRAMS = ['git/launcher/program.ts', 'service/site/readToolWorker.ts', ...PLAYWRIGHT_FILES]
/** Files for CI and hooks, which run the command of the package that they are in. */
const RECIPES = ['comment.mjs', 'run-tests.sh', 'pre-commit', 'pre-receive']
/** It begins with the types of `window.handrail`, and ends with the functions of the snippet. */
const PAGE_TYPES = 'snippet/handrail.ts'

/** Writes the package `@handrail/content`. Its command and recipes have the names that they have in the project. */
export async function writeContent(output: string): Promise<void> {
  await bundle({entry: ENTRY, output, folder: 'cli', outside: OUTSIDE, programs: PROGRAMS, folders: []})
  await mkdir(join(output, 'deploy/ci'), {recursive: true})
  for (const name of RECIPES) await cp(join(ROOT, 'deploy/ci', name), join(output, 'deploy/ci', name))
  // Agents expect the name of a skill as that of its folder: https://agentskills.io/specification
  await cp(join(ROOT, 'deploy/packages/content/SKILL.md'), join(output, 'skills/handrail-content/SKILL.md'))
  await writeFile(join(output, 'page.d.ts'), pageTypes())
  await writeFile(join(output, 'playwright.d.ts'), sourceText('cli/test/types.ts') + PLAYWRIGHT_EXPORTS)
  await writeManifest(output, OUTSIDE, {
    name: '@handrail/content',
    description: 'Makes, checks, tests and moves the content of Handrail',
    bin: {'handrail-content': ENTRY},
    types: 'page.d.ts',
    exports: {
      '.': {types: './page.d.ts'},
      './playwright': {types: './playwright.d.ts', default: './cli/cli-test-fixture.mjs'},
    },
  })
}

const PLAYWRIGHT_EXPORTS = `
export {expect} from '@playwright/test'
export declare const test: HandrailTest
`

function pageTypes(): string {
  const text = sourceText(PAGE_TYPES)
  return text.slice(0, text.lastIndexOf('/**', text.indexOf('export function')))
}
