import {createHash} from 'node:crypto'

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

/** The modules that the snippet loads when they are needed. */
export const MODULES = ['calls', 'ask', 'conditions', 'report', 'panel'] as const

export type ModuleName = (typeof MODULES)[number]

/** The file of a module. */
export function fileOf(name: ModuleName): string {
  return name === 'panel' ? 'preview.js' : `snippet.${name}.js`
}

/** In the place of the origin trial token, which is known only when a service starts. Base64, as tokens are. */
export const TOKEN_PLACEHOLDER = 'HandrailOriginTrialTokenPlaceholder+'

/** The integrity and the hash of a script. */
export function digestOf(text: string): Pick<Snippet, 'integrity' | 'hash'> {
  const digest = createHash('sha384').update(text).digest()
  return {
    integrity: `sha384-${digest.toString('base64')}`,
    hash: digest.toString('hex').slice(0, 16),
  }
}
