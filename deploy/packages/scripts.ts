import * as builds from '../../snippet/build/build.ts'
import {TOKEN_PLACEHOLDER} from '../../snippet/build/built.ts'

/** The text of a module that has the exports of `snippet/build/build.ts`, and returns what that makes now. */
export async function scriptsWithoutBuild(): Promise<string> {
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
