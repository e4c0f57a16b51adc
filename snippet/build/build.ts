import {resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type BuildOptions, buildSync} from 'esbuild'
import {minify_sync} from 'terser'
import {thirdPartyNotices} from '../../common/build/thirdParty.ts'
import {digestOf, MODULES, type ModuleName, type Snippet, TOKEN_PLACEHOLDER} from './built.ts'

/**
 * Bundles the files of `snippet/` into the script that pages embed. The same sources and the same token give
 * the same bytes.
 * @param options `originTrialToken`: a third-party token for the origin that serves the script. Without one,
 * the code that handles it is removed.
 */
export function buildSnippet({
  originTrialToken,
}: {
  originTrialToken?: string | undefined
} = {}): Promise<Snippet> {
  const placeholder = JSON.stringify(TOKEN_PLACEHOLDER)
  return bundleForVisitors(
    'main.ts',
    {
      format: 'iife',
      define: {ORIGIN_TRIAL_TOKEN: originTrialToken === undefined ? 'undefined' : placeholder},
    },
    // Only now: Terser chooses names by how often the text has a letter.
    (text) => text.replace(placeholder, () => JSON.stringify(originTrialToken)),
  )
}

/** Bundles all modules. */
export async function buildModules(): Promise<Map<ModuleName, Snippet>> {
  const modules = new Map<ModuleName, Snippet>()
  for (const name of MODULES) modules.set(name, await buildModule(name))
  return modules
}

/** Bundles a module that the snippet loads when it is needed. */
export async function buildModule(name: ModuleName): Promise<Snippet> {
  if (name === 'panel') return bundle('../panel/main.ts', PREACT)
  return bundleForVisitors(name === 'calls' ? 'calls.ts' : `${name}/main.ts`, {format: 'esm'})
}

/** Bundles `panel/testing/`, which tests of tools run in a page before the page's own scripts. */
export function buildTesting(): Promise<Snippet> {
  return bundle('../panel/testing/main.ts', {format: 'iife'})
}

/** Bundles `panel/website.ts`, which finds what tools can be made of on each page of a website. */
export function buildWebsite(): Promise<Snippet> {
  return bundle('../panel/website.ts', {...PREACT, format: 'iife'})
}

const PREACT = {
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Licenses ask for their text with every copy.
  banner: {js: '/*! Licenses: third-party.txt next to this file */'},
  loader: {'.css': 'text'},
  alias: {
    'css-selector-parser': fileURLToPath(new URL('../../panel/selectorParser.ts', import.meta.url)),
    'jsonc-parser': fileURLToPath(new URL('../../panel/jsonParser.ts', import.meta.url)),
  },
} as const satisfies BuildOptions

/** Bundles what visitors load. Terser makes it a twentieth smaller than esbuild does. */
function bundleForVisitors(
  entry: string,
  options: BuildOptions,
  complete = (text: string) => text,
): Promise<Snippet> {
  return bundle(entry, {...options, minify: false, minifySyntax: true}, (text) => {
    const isModule = options.format === 'esm'
    // `unsafe` writes `a + b` for templates and `Error()` for `new Error()`.
    const compress = {hoist_vars: true, inline: 1, passes: 2, pure_getters: true, unsafe: true}
    const {code = ''} = minify_sync(text, {ecma: 2020, module: isModule, compress})
    return complete(code)
  })
}

async function bundle(
  entry: string,
  options: BuildOptions,
  complete = (text: string) => text,
): Promise<Snippet> {
  // `build` would leave a process of esbuild that runs as long as this one. Only the start of a service waits.
  const {outputFiles = [], metafile} = buildSync({
    minify: true,
    ...options,
    entryPoints: [fileURLToPath(new URL(`../${entry}`, import.meta.url))],
    bundle: true,
    // Older than the browsers that have WebMCP: others must be able to parse the script before it can do
    // nothing.
    target: 'es2022',
    tsconfigRaw: {},
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const text = complete(outputFiles.map((file) => file.text).join(''))
  const contained = Object.values(metafile.outputs).flatMap(({inputs}) => Object.keys(inputs))
  return {
    text,
    ...digestOf(text),
    notices: thirdPartyNotices(contained.map((path) => resolve(path))),
  }
}
