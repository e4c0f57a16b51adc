import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {build} from 'esbuild'
import {writeManifest} from '../manifest.ts'
import {ROOT} from '../parts.ts'

const ENTRY = join(ROOT, 'deploy/packages/server/handrail.ts')

/** Writes the package `@handrail/server`: one module without dependencies, for every runtime with `fetch`, and its types. */
export async function writeServer(output: string): Promise<void> {
  const options = {bundle: true, format: 'esm', target: 'es2022', charset: 'utf8'} as const
  await build({...options, entryPoints: [ENTRY], outfile: join(output, 'handrail.js'), minifySyntax: true})
  const words = '--ignoreConfig --declaration --emitDeclarationOnly --target es2024 --lib es2024,dom --outDir'
  const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...words.split(' '), output, ENTRY]
  await promisify(execFile)(process.execPath, tsc, {cwd: ROOT})
  await writeManifest(output, [], {
    name: '@handrail/server',
    description: 'Writes the tools of a page into its HTML, for sites that use Handrail',
    exports: {'.': {types: './handrail.d.ts', default: './handrail.js'}},
    types: 'handrail.d.ts',
  })
}
