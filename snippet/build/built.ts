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

/** What of a script is sent to pages. */
type Script = Pick<Snippet, 'text' | 'hash'>

/** The modules that the snippet loads when they are needed. */
export const MODULES = ['calls', 'ask', 'conditions', 'report', 'panel'] as const

export type ModuleName = (typeof MODULES)[number]

/** The file of a module. */
export function fileOf(name: ModuleName): string {
  return name === 'panel' ? 'preview.js' : `snippet.${name}.js`
}

/** The scripts that pages load, and the licenses of what the panel contains. */
export type Scripts = {
  readonly snippet: Script
  readonly modules: ReadonlyMap<ModuleName, Script>
  readonly notices: string
}

/** The other files of a folder with all scripts. */
export const FILES = {
  snippet: 'snippet.js',
  snippetWithToken: 'snippet.token.js',
  notices: 'third-party.txt',
} as const

/** In the place of the origin trial token, which is known only when a service starts. Base64, as tokens are. */
export const TOKEN_PLACEHOLDER = 'HandrailOriginTrialTokenPlaceholder+'

/**
 * Reads the scripts from a folder that `writeBuilt.ts` has written. They have the same bytes as scripts that are built now.
 * @throws the error of the file system
 */
export async function readBuilt(dir: string, originTrialToken: string | undefined): Promise<Scripts> {
  const read = (name: string) => readFile(join(dir, name), 'utf8')
  const snippet =
    originTrialToken === undefined
      ? await read(FILES.snippet)
      : (await read(FILES.snippetWithToken)).replace(TOKEN_PLACEHOLDER, () => originTrialToken)
  const modules = new Map<ModuleName, Script>()
  for (const name of MODULES) modules.set(name, scriptOf(await read(fileOf(name))))
  return {snippet: scriptOf(snippet), modules, notices: await read(FILES.notices)}
}

function scriptOf(text: string): Script {
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
