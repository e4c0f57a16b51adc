import {existsSync} from 'node:fs'
import {cp, writeFile} from 'node:fs/promises'
import {basename, dirname, extname, join, relative, resolve} from 'node:path'
import {build, type Plugin} from 'esbuild'
import {thirdPartyNotices} from '../../common/build/thirdParty.ts'
import {forPackages, ONLY_IN_CLONES, ROOT} from './parts.ts'
import {sourceText} from './texts.ts'

/** CommonJS packages in a bundle load Node's modules with `require`. */
const REQUIRE = `import {createRequire as handrailRequire} from 'node:module'
const require = handrailRequire(import.meta.url)`

/** What to bundle. */
type BundleOptions = {
  /** The file of the command. */
  readonly entry: string
  /** The folder of the package, and in it the one for the bundle. */
  readonly output: string
  readonly folder: string
  /** Packages that stay outside. */
  readonly outside: readonly string[]
  /** Files that are started by name as a thread or a process, as paths from the root of the project. */
  readonly programs: readonly string[]
  /** Folders with files that the program reads. */
  readonly folders: readonly string[]
}

/** A file or folder that a source file names relative to itself. */
const NAMED_PLACES = /new URL\('([^']+)',\s*import\.meta\.url\)/g

/** The root itself, and folders that a build or a start makes. */
const OUTSIDE_OF_PARTS = /^(?:\.|node_modules(?:\/|$))/

/**
 * Bundles a program and its packages into a few files of one folder, and copies the folders that it reads. The file of the
 * command keeps its name.
 */
export async function bundle(options: BundleOptions): Promise<void> {
  const {entry, output, folder, outside, programs, folders} = options
  const {metafile} = await build({
    entryPoints: {
      [basename(entry, extname(entry))]: entry,
      ...Object.fromEntries(programs.map((program) => [nameOf(program), program])),
    },
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    outdir: join(output, folder),
    outExtension: {'.js': '.mjs'},
    // The main file of some packages finds its parts by a `require` that no bundler sees.
    mainFields: ['module', 'main'],
    external: [...outside],
    banner: {js: REQUIRE},
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'warning',
    plugins: [forPackages(), inOneFolder(options)],
  })
  for (const data of folders) await cp(join(ROOT, data), join(output, data), {recursive: true})
  const modules = Object.keys(metafile.inputs).map((path) => resolve(ROOT, path))
  await writeFile(join(output, 'third-party.txt'), thirdPartyNotices(modules))
}

function nameOf(program: string): string {
  return program.slice(0, -extname(program).length).replaceAll('/', '-')
}

/** Source files name others relative to themselves. In a package, they are all in one folder. */
function inOneFolder({programs, folders}: BundleOptions): Plugin {
  return {
    name: 'in one folder',
    setup(builder) {
      builder.onLoad({filter: /\.(?:ts|mjs)$/}, ({path}) => {
        const file = relative(ROOT, path)
        if (file.includes('node_modules/')) return undefined
        const contents = sourceText(file).replaceAll(NAMED_PLACES, (_, name: string) => {
          const place = join(dirname(file), name)
          const isPart = programs.includes(place) || folders.includes(place) || ONLY_IN_CLONES.includes(place)
          if (!isPart && !OUTSIDE_OF_PARTS.test(place) && existsSync(join(ROOT, place)))
            throw new Error(
              `${file} names ${place}, which is none of the programs and folders of the package`,
            )
          const path = programs.includes(place) ? `./${nameOf(place)}.mjs` : `../${place}`
          return `new URL('${path}', import.meta.url)`
        })
        return {contents, loader: file.endsWith('.ts') ? 'ts' : 'js'}
      })
    },
  }
}
