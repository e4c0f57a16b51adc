import * as builds from '../../snippet/build/build.ts'
import {TOKEN_PLACEHOLDER} from '../../snippet/build/built.ts'

/** The module that bundles the scripts for pages with esbuild. */
export const SCRIPTS_BUILD = 'snippet/build/build.ts'

let made: Promise<string> | undefined

/** The text of a module that has the exports of {@link SCRIPTS_BUILD}, and returns what that makes now. */
export function scriptsWithoutBuild(): Promise<string> {
  made ??= make()
  return made
}

async function make(): Promise<string> {
  const {buildSnippet, ...others} = builds
  const functions = await Promise.all(
    Object.entries(others).map(
      async ([name, run]) => `export const ${name} = async () => (${json(await run())})`,
    ),
  )
  const [plain, {text}] = [await buildSnippet(), await buildSnippet({originTrialToken: TOKEN_PLACEHOLDER})]
  return `import {digestOf, TOKEN_PLACEHOLDER} from './built.ts'

export const buildSnippet = async ({originTrialToken} = {}) => {
  const plain = ${json(plain)}
  if (originTrialToken === undefined) return plain
  const text = ${json(text)}.replace(TOKEN_PLACEHOLDER, () => originTrialToken)
  return {...plain, text, ...digestOf(text)}
}
${functions.join('\n')}
`
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
