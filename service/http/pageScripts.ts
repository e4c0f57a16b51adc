import {hash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {readBuilt, type Scripts, type Snippet} from '../../snippet/build/built.ts'
import type {Encoding} from '../encodings/acceptedEncodings.ts'
import {compressed, plain, type Representation} from '../encodings/representations.ts'

/** A script that pages load, in each encoding. */
export type PageScript = Readonly<Record<Encoding, Representation>> & {
  /** Hash of the text. */
  readonly hash: string
}

/**
 * The scripts that pages load: the one that they embed, and those that it loads for calls, for questions to visitors, for
 * counting calls and for previews. `notices`: the licenses of what the panel contains; the others contain no packages.
 */
export type PageScripts = {
  readonly snippet: PageScript
  readonly calls: PageScript
  readonly ask: PageScript
  readonly report: PageScript
  readonly panel: PageScript
  readonly make: PageScript
  readonly tests: PageScript
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
  const [snippet, calls, ask, report, panel, make, tests, notices] = await Promise.all([
    compressedScript(scripts.snippet),
    compressedScript(scripts.calls),
    compressedScript(scripts.ask),
    compressedScript(scripts.report),
    compressedScript(scripts.panel),
    compressedScript(scripts.make),
    compressedScript(scripts.tests),
    compressedScript({text: scripts.notices, hash: hash('sha1', scripts.notices, 'base64url')}),
  ])
  return {snippet, calls, ask, report, panel, make, tests, notices}
}

async function build(originTrialToken: string | undefined): Promise<Scripts> {
  const {buildAsk, buildCalls, buildMake, buildPanel, buildReport, buildSnippet, buildTests} = await import(
    '../../snippet/build/build.ts'
  )
  const panel = await buildPanel()
  const [snippet, calls, ask, report, make, tests] = await Promise.all([
    buildSnippet({originTrialToken}),
    buildCalls(),
    buildAsk(),
    buildReport(),
    buildMake(),
    buildTests(),
  ])
  return {snippet, calls, ask, report, panel, make, tests, notices: panel.notices}
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
