import {existsSync, readFileSync, statSync} from 'node:fs'
import {dirname, join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build, type Plugin} from 'esbuild'
import {SCRIPTS_BUILD, scriptsWithoutBuild} from './scripts.ts'

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Loaded only where the project itself is, to compile TypeScript and to build Studio and its guides. */
const ONLY_IN_CLONES: readonly string[] = ['cli/typeScript.mjs', 'studio/build/help.ts']

/** The log names its printer in an option of pino, not in an import. */
const LOADED_BY_NAME = {file: 'common/log/log.ts', name: 'pino-pretty'}

/** A file or folder that a source file names relative to itself. */
export const NAMED_PLACES = /new URL\('([^']+)',\s*import\.meta\.url\)/g

/** What a program consists of. Files and folders are relative to the root of the project. */
export type Parts = {
  readonly files: ReadonlySet<string>
  /** Of the files, those that are started by name as a thread or a process. */
  readonly programs: ReadonlySet<string>
  /** Folders with data that it reads. */
  readonly folders: ReadonlySet<string>
  /** Names of packages. */
  readonly packages: ReadonlySet<string>
}

/** Finds all parts of a program by its imports, without those that have only types. */
export async function partsOf(entry: string): Promise<Parts> {
  const programs = new Set<string>()
  const folders = new Set<string>()
  for (;;) {
    const before = programs.size
    const {metafile} = await build({
      entryPoints: [entry, ...programs],
      absWorkingDir: ROOT,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outdir: 'unused',
      write: false,
      metafile: true,
      logLevel: 'silent',
      plugins: [forPackages],
    })
    const files = new Set(Object.keys(metafile.inputs))
    for (const file of files) {
      for (const place of placesNamedIn(file)) (isFolder(place) ? folders : programs).add(place)
    }
    if (programs.size > before) continue
    const imported = Object.values(metafile.inputs).flatMap(({imports}) => imports)
    const packages = new Set(imported.flatMap(({path, external}) => (external ? packageOf(path) : [])))
    if (files.has(LOADED_BY_NAME.file)) packages.add(LOADED_BY_NAME.name)
    return {files, programs, folders, packages}
  }
}

/** Replaces the build of the scripts for pages by what it makes, and leaves out what only a clone can load. */
export const forPackages: Plugin = {
  name: 'for packages',
  setup(builder) {
    builder.onResolve({filter: /^\./}, ({path, resolveDir}) => {
      const target = relative(ROOT, join(resolveDir, path))
      return ONLY_IN_CLONES.includes(target) ? {path, external: true} : undefined
    })
    builder.onLoad({filter: /\/snippet\/build\/build\.ts$/}, async ({path}) => ({
      contents: await scriptsWithoutBuild(),
      loader: 'js',
      resolveDir: dirname(path),
    }))
  },
}

function placesNamedIn(file: string): string[] {
  if (file === SCRIPTS_BUILD) return []
  const text = readFileSync(join(ROOT, file), 'utf8')
  return Array.from(text.matchAll(NAMED_PLACES), ([, name = '']) => join(dirname(file), name)).filter(
    (place) => existsSync(join(ROOT, place)) && isInside(place) && !ONLY_IN_CLONES.includes(place),
  )
}

/** Other places are the root itself, and folders that a build or a start makes. */
function isInside(place: string): boolean {
  return !/^(?:\.|node_modules(?:\/|$))/.test(place)
}

function isFolder(place: string): boolean {
  return statSync(join(ROOT, place)).isDirectory()
}

/** The package of an import: none for a module of Node, or for a file that is left out. */
function packageOf(path: string): string[] {
  const [, name] = /^((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/|$)/.exec(path) ?? []
  return name === undefined ? [] : [name]
}
