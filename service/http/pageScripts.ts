import {hash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {brotliCompress, constants, gzip} from 'node:zlib'
import {type ModuleName, readBuilt, type Scripts, type Snippet} from '../../snippet/build/built.ts'
import type {Encoding} from '../encodings/encodings.ts'

/** A script that pages load, in each encoding. */
export type PageScript = Readonly<Record<Encoding, Buffer>> & {
  /** Hash of the text. */
  readonly hash: string
}

/**
 * The scripts that pages load: the one that they embed, and its modules. `notices`: the licenses of what the panel contains;
 * the others contain no packages.
 */
export type PageScripts = {
  readonly snippet: PageScript
  readonly modules: ReadonlyMap<ModuleName, PageScript>
  readonly notices: PageScript
}

/** Images have the scripts in place of their build, so that nothing is compiled when a service starts. */
const SOURCE = fileURLToPath(new URL('../../snippet/build/build.ts', import.meta.url))
const BUILT = fileURLToPath(new URL('../../.handrail/scripts', import.meta.url))

/**
 * Builds or reads the scripts that pages load, and compresses them. The same token gives the same bytes.
 * @param options see `buildSnippet`.
 */
export async function buildPageScripts({
  originTrialToken,
}: {
  readonly originTrialToken: string | undefined
}): Promise<PageScripts> {
  const scripts = existsSync(SOURCE)
    ? await build(originTrialToken)
    : await readBuilt(BUILT, originTrialToken)
  const modules = [...scripts.modules].map(
    async ([name, script]) => [name, await compressedScript(script)] as const,
  )
  const {notices: text} = scripts
  return {
    snippet: await compressedScript(scripts.snippet),
    modules: new Map(await Promise.all(modules)),
    notices: await compressedScript({text, hash: hash('sha1', text, 'base64url')}),
  }
}

async function build(originTrialToken: string | undefined): Promise<Scripts> {
  const {buildModules, buildSnippet} = await import('../../snippet/build/build.ts')
  const modules = await buildModules()
  const snippet = await buildSnippet({originTrialToken})
  return {snippet, modules, notices: modules.get('panel')?.notices ?? ''}
}

/** Compresses a script in the thread pool, as small as can be: it is served for months. */
export async function compressedScript({text, hash}: Pick<Snippet, 'text' | 'hash'>): Promise<PageScript> {
  const identity = Buffer.from(text)
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, {params: {[constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength}}),
    promisify(gzip)(identity, {level: constants.Z_BEST_COMPRESSION}),
  ])
  return {hash, identity, br, gzip: zipped}
}
