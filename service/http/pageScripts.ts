import {buildPanel, buildSnippet, type Snippet} from '../../snippet/build.ts'
import type {Coding} from '../codings/acceptedCodings.ts'
import {compressed, plain, type Representation} from '../codings/representations.ts'

/** A script that pages load, in each coding. */
export type PageScript = Readonly<Record<Coding, Representation>> & {
  /** Hash of the text. */
  readonly hash: string
}

/** The scripts that pages load: the one that they embed, and the panel, which that one loads for previews. */
export type PageScripts = {readonly snippet: PageScript; readonly panel: PageScript}

/**
 * Builds and compresses the scripts that pages load. The same token gives the same bytes.
 * @param options see `buildSnippet`.
 */
export async function buildPageScripts(options: {
  originTrialToken: string | undefined
}): Promise<PageScripts> {
  const [snippet, panel] = await Promise.all([
    buildSnippet(options).then(compressedScript),
    buildPanel().then(compressedScript),
  ])
  return {snippet, panel}
}

async function compressedScript({text, hash}: Snippet): Promise<PageScript> {
  const identity = plain(Buffer.from(text), `"${hash}"`)
  const [br, gzip] = await Promise.all([
    compressed(identity, 'br', 'most'),
    compressed(identity, 'gzip', 'most'),
  ])
  return {hash, identity, br, gzip}
}
