import {hash} from 'node:crypto'
import {buildAsk, buildCalls, buildPanel, buildSnippet, type Snippet} from '../../snippet/build.ts'
import type {Encoding} from '../encodings/acceptedEncodings.ts'
import {compressed, plain, type Representation} from '../encodings/representations.ts'

/** A script that pages load, in each encoding. */
export type PageScript = Readonly<Record<Encoding, Representation>> & {
  /** Hash of the text. */
  readonly hash: string
}

/**
 * The scripts that pages load: the one that they embed, and those that it loads, for calls, for questions to visitors and for previews. The licenses of
 * what the panel contains; the others contain no packages.
 */
export type PageScripts = {
  readonly snippet: PageScript
  readonly calls: PageScript
  readonly ask: PageScript
  readonly panel: PageScript
  readonly notices: PageScript
}

/**
 * Builds and compresses the scripts that pages load. The same token gives the same bytes.
 * @param options see `buildSnippet`.
 */
export async function buildPageScripts(options: {
  readonly originTrialToken: string | undefined
}): Promise<PageScripts> {
  const built = await buildPanel()
  const [snippet, calls, ask, panel, notices] = await Promise.all([
    buildSnippet(options).then(compressedScript),
    buildCalls().then(compressedScript),
    buildAsk().then(compressedScript),
    compressedScript(built),
    compressedScript({text: built.notices, hash: hash('sha1', built.notices, 'base64url')}),
  ])
  return {snippet, calls, ask, panel, notices}
}

/** Compresses a script. */
export async function compressedScript({text, hash}: Pick<Snippet, 'text' | 'hash'>): Promise<PageScript> {
  const identity = plain(Buffer.from(text), `"${hash}"`)
  const [br, gzip] = await Promise.all([
    compressed(identity, 'br', 'most'),
    compressed(identity, 'gzip', 'most'),
  ])
  return {hash, identity, br, gzip}
}
