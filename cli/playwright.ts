import {existsSync} from 'node:fs'
import {createRequire} from 'node:module'
import {CommandError} from './command.ts'

/**
 * The program of Playwright Test, which only tests of tools need.
 * @throws CommandError that says how to install it
 */
export function playwrightTest(): string {
  const require = createRequire(import.meta.url)
  try {
    return require.resolve('@playwright/test/cli')
  } catch {
    throw new CommandError(`This command needs Playwright. ${advice(require)}`)
  }
}

function advice(require: NodeJS.Require): string {
  const {devDependencies, peerDependencies} = require('../package.json')
  const playwright = `@playwright/test@${String({...devDependencies, ...peerDependencies}['@playwright/test'])}`
  if (existsSync(new URL('./typeScript.mjs', import.meta.url)))
    return `An installation for production leaves it out. Run "npm install --no-save --save-prod --omit=dev ${playwright}" in the folder of Handrail.`
  return `Run "npm install ${playwright}" where you installed handrail-content, with --global if you did that with --global.`
}
