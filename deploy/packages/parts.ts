import {dirname, join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Plugin} from 'esbuild'
import {buildLibrary} from '../../actions/build/build.ts'
import {scriptsWithoutBuild} from './scripts.ts'

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What Playwright Test loads for `content test`, and what other suites import. */
export const PLAYWRIGHT_FILES = ['config', 'tests', 'signIn', 'reporter', 'fixture'].map(
  (name) => `cli/test/${name}.ts`,
)

/** Loaded only where the project itself is, to compile TypeScript and to build Studio and its guides. */
export const ONLY_IN_CLONES: readonly string[] = ['cli/typeScript.mjs', 'studio/build/help.ts']

/** Replaces the build of the scripts for pages by what it makes, and leaves out what only a clone can load. */
export function forPackages(): Plugin {
  return {
    name: 'for packages',
    setup(builder) {
      builder.onResolve({filter: /^\./}, ({path, resolveDir}) => {
        const target = relative(ROOT, join(resolveDir, path))
        return ONLY_IN_CLONES.includes(target) ? {path, external: true} : undefined
      })
      builder.onLoad({filter: /\/actions\/build\/build\.ts$/}, () => {
        return {
          contents: `export const buildLibrary = () => (${JSON.stringify(buildLibrary())})`,
          loader: 'js',
        }
      })
      builder.onLoad({filter: /\/snippet\/build\/build\.ts$/}, async ({path}) => {
        return {contents: await scriptsWithoutBuild(), loader: 'js', resolveDir: dirname(path)}
      })
    },
  }
}
