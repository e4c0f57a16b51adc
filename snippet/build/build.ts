import {resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type BuildOptions, buildSync} from 'esbuild'
import {thirdPartyNotices} from '../../common/build/thirdParty.ts'
import {digestOf, type ModuleName, type Snippet} from './built.ts'

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
  return bundle('main.ts', {
    format: 'iife',
    define: {
      ORIGIN_TRIAL_TOKEN: originTrialToken === undefined ? 'undefined' : JSON.stringify(originTrialToken),
    },
  })
}

/** Bundles a module that the snippet or its panel loads when it is needed. */
export async function buildModule(name: ModuleName): Promise<Snippet> {
  switch (name) {
    case 'calls':
      return buildCalls()
    case 'ask':
      return bundle('ask/main.ts', {format: 'esm'})
    case 'conditions':
      return bundle('conditions/main.ts', {format: 'esm'})
    case 'report':
      return bundle('report/main.ts', {format: 'esm'})
    case 'make':
      return bundleLent('preview/making/main.ts')
    case 'trial':
      return bundleLent('preview/making/trial/main.ts')
    case 'tests':
      return bundleLent('preview/tests/main.ts')
    case 'panel': {
      const hash = async (name: ModuleName) => JSON.stringify((await buildModule(name)).hash)
      const define = {
        MAKE_HASH: await hash('make'),
        TRIAL_HASH: await hash('trial'),
        TESTS_HASH: await hash('tests'),
      }
      return bundle('preview/main.ts', {...PREACT, define})
    }
  }
}

/** Bundles the module that calls tools: the only one that the command line needs, and that its package contains. */
export function buildCalls(): Promise<Snippet> {
  return bundle('calls.ts', {format: 'esm'})
}

/** Bundles `testing/`, which tests of tools run in a page before the page's own scripts. */
export function buildTesting(): Promise<Snippet> {
  return bundle('testing/main.ts', {format: 'iife'})
}

/** Bundles a module that borrows the panel's Preact. */
function bundleLent(entry: string): Promise<Snippet> {
  const borrowed = fileURLToPath(new URL('../preview/lent/borrowed.ts', import.meta.url))
  const alias = {preact: borrowed, 'preact/hooks': borrowed, 'preact/jsx-runtime': borrowed}
  return bundle(entry, {...PREACT, alias})
}

const PREACT = {
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Licenses ask for their text with every copy.
  banner: {js: '/*! Licenses: third-party.txt next to this file */'},
  loader: {'.css': 'text'},
} as const satisfies BuildOptions

async function bundle(entry: string, options: BuildOptions): Promise<Snippet> {
  // `build` would leave a process of esbuild that runs as long as this one. Only the start of a service waits.
  const {outputFiles = [], metafile} = buildSync({
    ...options,
    entryPoints: [fileURLToPath(new URL(`../${entry}`, import.meta.url))],
    bundle: true,
    // Older than the browsers that have WebMCP: others must be able to parse the script before it can do
    // nothing.
    target: 'es2022',
    minify: true,
    tsconfigRaw: {},
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const text = outputFiles.map((file) => file.text).join('')
  const contained = Object.values(metafile.outputs).flatMap(({inputs}) => Object.keys(inputs))
  return {
    text,
    ...digestOf(text),
    notices: thirdPartyNotices(contained.map((path) => resolve(path))),
  }
}
