import {chmod, cp, mkdir, readdir, readFile, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {transform} from 'esbuild'
import {manifestOf} from '../manifest.ts'
import {type Parts, partsOf, ROOT} from '../parts.ts'
import {SCRIPTS_BUILD, scriptsWithoutBuild} from '../scripts.ts'
import {sourceText, withAdvice} from '../texts.ts'

const BIN = 'deploy/packages/handrail/bin.mjs'

/** A relative path of a TypeScript file, in an import or where a thread is started. */
const TYPESCRIPT_PATH = /(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g

/**
 * Writes the package `handrail`: lake, service, demo shop and commands as JavaScript, file by file, and a built Studio.
 * @param studio the folder with the built Studio
 */
export async function writeHandrail(output: string, studio: string): Promise<void> {
  const parts = await partsOf(BIN)
  const sources = [...parts.files].filter((file) => file !== 'package.json')
  await Promise.all(sources.map((file) => writeCompiled(output, file)))
  await chmod(join(output, BIN), 0o755)
  await copyData(output, parts)
  await copyStudio(studio, join(output, '.handrail/studio'))
  const manifest = manifestOf(
    {
      name: 'handrail',
      description: 'Manages the tools that a website offers to AI agents (WebMCP) in Sanity Studio, over Git',
      bin: {handrail: BIN},
    },
    parts.packages,
  )
  await writeFile(join(output, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function writeCompiled(output: string, file: string): Promise<void> {
  const isTypeScript = file.endsWith('.ts')
  const path = join(output, isTypeScript ? `${file.slice(0, -'.ts'.length)}.js` : file)
  const code = isTypeScript ? await compiled(file) : sourceText(file)
  await mkdir(dirname(path), {recursive: true})
  await writeFile(path, code.replaceAll(TYPESCRIPT_PATH, '$1$2.js$1'))
}

async function compiled(file: string): Promise<string> {
  if (file === SCRIPTS_BUILD) return scriptsWithoutBuild()
  const {code} = await transform(sourceText(file), {
    loader: 'ts',
    format: 'esm',
    target: 'node24',
    // As Node strips types: imports stay unless they say that they are types.
    tsconfigRaw: {compilerOptions: {verbatimModuleSyntax: true}},
    sourcefile: file,
  })
  return code
}

async function copyData(output: string, {folders}: Parts): Promise<void> {
  const copies = [
    ...[...folders].map((folder) => [folder, folder] as const),
    ['LICENSE', 'LICENSE'] as const,
    ['deploy/packages/handrail/README.md', 'README.md'] as const,
  ]
  for (const [from, to] of copies) await cp(join(ROOT, from), join(output, to), {recursive: true})
}

/** The guides that Studio shows name commands, too. */
async function copyStudio(from: string, to: string): Promise<void> {
  await cp(from, to, {recursive: true})
  for (const name of await readdir(join(to, 'help'))) {
    const page = join(to, 'help', name)
    await writeFile(page, withAdvice(await readFile(page, 'utf8')))
  }
}
