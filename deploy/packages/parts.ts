import {existsSync, readFileSync, statSync} from 'node:fs'
import {dirname, join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build, type Plugin} from 'esbuild'
import {scriptsWithoutBuild} from './scripts.ts'

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The module that bundles the scripts for pages with esbuild. */
const SCRIPTS_BUILD = 'snippet/build/build.ts'

/** Loaded only where the project itself is, to compile TypeScript and to build Studio and its guides. */
const ONLY_IN_CLONES: readonly string[] = ['cli/typeScript.mjs', 'studio/build/help.ts']

/** A file or folder that a source file names relative to itself. */
export const NAMED_PLACES = /new URL\('([^']+)',\s*import\.meta\.url\)/g

/** What a program consists of besides its modules. Paths are relative to the root of the project. */
type Parts = {
  /** Files that are started by name as a thread or a process. */
  readonly programs: ReadonlySet<string>
  /** Folders with files that it reads. */
  readonly folders: ReadonlySet<string>
}

/**
 * Finds what the modules of a program name.
 * @param plugin see {@link forPackages}
 */
export async function partsOf(entry: string, plugin: Plugin): Promise<Parts> {
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
      plugins: [plugin],
    })
    for (const file of Object.keys(metafile.inputs)) {
      for (const place of placesNamedIn(file)) (isFolder(place) ? folders : programs).add(place)
    }
    if (programs.size === before) return {programs, folders}
  }
}

/** Replaces the build of the scripts for pages by what it makes, and leaves out what only a clone can load. */
export function forPackages(): Plugin {
  let scripts: Promise<string> | undefined
  return {
    name: 'for packages',
    setup(builder) {
      builder.onResolve({filter: /^\./}, ({path, resolveDir}) => {
        const target = relative(ROOT, join(resolveDir, path))
        return ONLY_IN_CLONES.includes(target) ? {path, external: true} : undefined
      })
      builder.onLoad({filter: /\/snippet\/build\/build\.ts$/}, async ({path}) => {
        scripts ??= scriptsWithoutBuild()
        return {contents: await scripts, loader: 'js', resolveDir: dirname(path)}
      })
    },
  }
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
