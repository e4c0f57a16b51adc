import {createHash} from 'node:crypto'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'

/** The finished script that pages embed. */
export type Snippet = {
  text: string
  /** Subresource Integrity of `text`, `sha384-…`. */
  integrity: string
  /**
   * The first 16 hexadecimal characters of the same SHA-384, for a file name that never changes its content.
   */
  hash: string
}

const entry = fileURLToPath(new URL('main.ts', import.meta.url))

/**
 * Bundles the files of this folder into one script. The same sources and the same token give the same bytes.
 * @param options `originTrialToken`: a third-party token for the origin that serves the script. Without one,
 * the code that handles it is removed.
 */
export async function buildSnippet({
  originTrialToken,
}: {
  originTrialToken?: string | undefined
} = {}): Promise<Snippet> {
  const {outputFiles} = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    // Older than the browsers that have WebMCP: others must be able to parse the script before it can do
    // nothing.
    target: 'es2022',
    minify: true,
    tsconfigRaw: {},
    charset: 'utf8',
    legalComments: 'none',
    define: {
      ORIGIN_TRIAL_TOKEN: originTrialToken === undefined ? 'undefined' : JSON.stringify(originTrialToken),
    },
    write: false,
    logLevel: 'silent',
  })
  const text = outputFiles.map((file) => file.text).join('')
  const digest = createHash('sha384').update(text).digest()
  return {text, integrity: `sha384-${digest.toString('base64')}`, hash: digest.toString('hex').slice(0, 16)}
}
