import {createHash} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'

/** A finished script for pages. */
export type Snippet = {
  text: string
  /** Subresource Integrity of `text`, `sha384-…`. */
  integrity: string
  /**
   * The first 16 hexadecimal characters of the same SHA-384, for a file name that never changes its content.
   */
  hash: string
  /** The licenses of the packages that it contains. */
  notices: string
}

/** The scripts that pages load, and the licenses of what the panel contains. */
export type Scripts = {
  readonly snippet: Pick<Snippet, 'text' | 'hash'>
  readonly calls: Pick<Snippet, 'text' | 'hash'>
  readonly ask: Pick<Snippet, 'text' | 'hash'>
  readonly report: Pick<Snippet, 'text' | 'hash'>
  readonly panel: Pick<Snippet, 'text' | 'hash'>
  readonly make: Pick<Snippet, 'text' | 'hash'>
  readonly tests: Pick<Snippet, 'text' | 'hash'>
  readonly notices: string
}

/** Files of a folder with all scripts. */
export const FILES = {
  snippet: 'snippet.js',
  snippetWithToken: 'snippet.token.js',
  calls: 'snippet.calls.js',
  ask: 'snippet.ask.js',
  report: 'snippet.report.js',
  panel: 'preview.js',
  make: 'snippet.make.js',
  tests: 'snippet.tests.js',
  notices: 'third-party.txt',
} as const

/** In the place of the origin trial token, which is known only when a service starts. Base64, as tokens are. */
export const TOKEN_PLACEHOLDER = 'HandrailOriginTrialTokenPlaceholder+'

/**
 * Reads the scripts from a folder that `writeBuilt.ts` has written. They have the same bytes as scripts that are built now.
 * @throws the error of the file system
 */
export async function readBuilt(dir: string, originTrialToken: string | undefined): Promise<Scripts> {
  const read = (name: keyof typeof FILES) => readFile(join(dir, FILES[name]), 'utf8')
  const [snippet, calls, ask, report, panel, make, tests, notices] = await Promise.all([
    originTrialToken === undefined
      ? read('snippet')
      : read('snippetWithToken').then((text) => text.replace(TOKEN_PLACEHOLDER, () => originTrialToken)),
    read('calls'),
    read('ask'),
    read('report'),
    read('panel'),
    read('make'),
    read('tests'),
    read('notices'),
  ])
  return {
    snippet: scriptOf(snippet),
    calls: scriptOf(calls),
    ask: scriptOf(ask),
    report: scriptOf(report),
    panel: scriptOf(panel),
    make: scriptOf(make),
    tests: scriptOf(tests),
    notices,
  }
}

function scriptOf(text: string): Pick<Snippet, 'text' | 'hash'> {
  return {text, hash: digestOf(text).hash}
}

/** The integrity and the hash of a script. */
export function digestOf(text: string): Pick<Snippet, 'integrity' | 'hash'> {
  const digest = createHash('sha384').update(text).digest()
  return {
    integrity: `sha384-${digest.toString('base64')}`,
    hash: digest.toString('hex').slice(0, 16),
  }
}
