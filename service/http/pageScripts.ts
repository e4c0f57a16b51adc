import {hash} from 'node:crypto'
import {promisify} from 'node:util'
import {brotliCompress, constants, gzip} from 'node:zlib'
import type {ModuleName, Snippet} from '../../snippet/build/built.ts'
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

/**
 * Builds the scripts that pages load, and compresses them. Packages and images have them built. The same token gives the same bytes.
 * @param options see `buildSnippet`.
 */
export async function buildPageScripts({
  originTrialToken,
}: {
  readonly originTrialToken: string | undefined
}): Promise<PageScripts> {
  const {buildModules, buildSnippet} = await import('../../snippet/build/build.ts')
  const built = await buildModules()
  const modules = [...built].map(async ([name, script]) => [name, await compressedScript(script)] as const)
  const text = built.get('panel')?.notices ?? ''
  return {
    snippet: await compressedScript(await buildSnippet({originTrialToken})),
    modules: new Map(await Promise.all(modules)),
    notices: await compressedScript({text, hash: hash('sha1', text, 'base64url')}),
  }
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
