import {cp, mkdir, writeFile} from 'node:fs/promises'
import {basename, extname, join, relative, resolve} from 'node:path'
import {build, type Plugin} from 'esbuild'
import {thirdPartyNotices} from '../../../common/build/thirdParty.ts'
import {manifestOf} from '../manifest.ts'
import {forPackages, NAMED_PLACES, partsOf, ROOT} from '../parts.ts'
import {SCRIPTS_BUILD} from '../scripts.ts'
import {sourceText} from '../texts.ts'

const ENTRY = 'cli/content.mjs'
/** Files for CI and hooks, which run the command of the package that they are in. */
const RECIPES = ['comment.mjs', 'run-tests.sh', 'pre-commit', 'pre-receive']
/** It begins with the types of `window.handrail`, and ends with the functions of the snippet. */
const PAGE_TYPES = 'snippet/handrail.ts'
/** Large, and only for tests of tools: who runs these installs it. */
const OPTIONAL = 'playwright-core'

/** CommonJS packages in a bundle load Node's modules with `require`. */
const REQUIRE = `import {createRequire as handrailRequire} from 'node:module'
const require = handrailRequire(import.meta.url)`

/** Writes the package `@handrail/content`: the content command and all packages that it needs, in a few files. */
export async function writeContent(output: string): Promise<void> {
  const {programs} = await partsOf(ENTRY)
  const {metafile} = await build({
    entryPoints: [ENTRY, ...programs],
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // All files are in one folder, which is as deep in the package as their names of other files expect.
    outdir: join(output, 'cli'),
    entryNames: '[name]',
    outExtension: {'.js': '.mjs'},
    // The main file of some packages finds its parts by a `require` that no bundler sees.
    mainFields: ['module', 'main'],
    external: [OPTIONAL],
    banner: {js: REQUIRE},
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'warning',
    plugins: [forPackages, inOneFolder(programs)],
  })
  const modules = Object.keys(metafile.inputs).map((path) => resolve(ROOT, path))
  await writeFile(join(output, 'third-party.txt'), thirdPartyNotices(modules))
  await mkdir(join(output, 'deploy/ci'), {recursive: true})
  for (const name of RECIPES) await cp(join(ROOT, 'deploy/ci', name), join(output, 'deploy/ci', name))
  await cp(join(ROOT, 'LICENSE'), join(output, 'LICENSE'))
  await cp(join(ROOT, 'deploy/packages/content/README.md'), join(output, 'README.md'))
  await writeFile(join(output, 'page.d.ts'), pageTypes())
  const manifest = manifestOf(
    {
      name: '@handrail/content',
      description: 'Checks, compares, tests, formats and moves the content repositories of Handrail',
      bin: {'handrail-content': ENTRY},
      types: 'page.d.ts',
    },
    [OPTIONAL],
  )
  await writeFile(join(output, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function pageTypes(): string {
  const text = sourceText(PAGE_TYPES)
  return text.slice(0, text.lastIndexOf('/**', text.indexOf('export function')))
}

/** Finds threads and processes, which are started by name, in the folder of the bundle. */
function inOneFolder(programs: ReadonlySet<string>): Plugin {
  return {
    name: 'in one folder',
    setup(builder) {
      builder.onLoad({filter: /\.(?:ts|mjs)$/}, ({path}) => {
        const file = relative(ROOT, path)
        if (file.includes('node_modules/') || file === SCRIPTS_BUILD) return undefined
        const contents = sourceText(file).replaceAll(NAMED_PLACES, (whole, name: string) => {
          const program = relative(ROOT, resolve(path, '..', name))
          if (!programs.has(program)) return whole
          return `new URL('./${basename(program, extname(program))}.mjs', import.meta.url)`
        })
        return {contents, loader: file.endsWith('.ts') ? 'ts' : 'js'}
      })
    },
  }
}
