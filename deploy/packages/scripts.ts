import {buildCalls, buildModule, buildSnippet, buildTesting} from '../../snippet/build/build.ts'
import {MODULE_NAMES, TOKEN_PLACEHOLDER} from '../../snippet/build/built.ts'

/** The text of a module that has the exports of `snippet/build/build.ts`, and returns what that makes now. */
export async function scriptsWithoutBuild(): Promise<string> {
  const [plain, {text}] = [await buildSnippet(), await buildSnippet({originTrialToken: TOKEN_PLACEHOLDER})]
  const modules = await Promise.all(
    MODULE_NAMES.map(async (name) => [name, await buildModule(name)] as const),
  )
  return `import {digestOf, TOKEN_PLACEHOLDER} from './built.ts'

export const buildSnippet = async ({originTrialToken} = {}) => {
  const plain = ${json(plain)}
  if (originTrialToken === undefined) return plain
  const text = ${json(text)}.replace(TOKEN_PLACEHOLDER, () => originTrialToken)
  return {...plain, text, ...digestOf(text)}
}
export const buildCalls = async () => (${json(await buildCalls())})
export const buildTesting = async () => (${json(await buildTesting())})
const modules = ${json(Object.fromEntries(modules))}
export const buildModule = async (name) => modules[name]
`
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
