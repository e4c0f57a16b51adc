import {buildModules, buildSnippet, buildTesting, buildWebsite} from '../../snippet/build/build.ts'
import {TOKEN_PLACEHOLDER} from '../../snippet/build/built.ts'

/** The text of a module that has the exports of `snippet/build/build.ts`, and returns what that makes now. */
export async function scriptsWithoutBuild(): Promise<string> {
  const [plain, {text}] = [await buildSnippet(), await buildSnippet({originTrialToken: TOKEN_PLACEHOLDER})]
  return `import {digestOf, TOKEN_PLACEHOLDER} from './built.ts'

export const buildSnippet = async ({originTrialToken} = {}) => {
  const plain = ${json(plain)}
  if (originTrialToken === undefined) return plain
  const text = ${json(text)}.replace(TOKEN_PLACEHOLDER, () => originTrialToken)
  return {...plain, text, ...digestOf(text)}
}
export const buildTesting = async () => (${json(await buildTesting())})
export const buildWebsite = async () => (${json(await buildWebsite())})
const modules = ${json(Object.fromEntries(await buildModules()))}
export const buildModule = async (name) => modules[name]
export const buildModules = async () => new Map(Object.entries(modules))
`
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
