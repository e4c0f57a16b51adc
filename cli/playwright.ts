import {existsSync} from 'node:fs'
import {createRequire} from 'node:module'
import {errorCode} from '../common/errorCode.ts'
import {CommandError} from './command.ts'

/**
 * Loads Playwright, which only tests of tools need.
 * @throws CommandError that says how to install it
 */
export async function loadPlaywright(): Promise<typeof import('playwright-core')> {
  try {
    return await import('playwright-core')
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CommandError(`This command needs Playwright. ${advice()}`)
  }
}

function advice(): string {
  const {name, devDependencies, peerDependencies} = createRequire(import.meta.url)('../package.json')
  const playwright = `playwright-core@${String({...devDependencies, ...peerDependencies}['playwright-core'])}`
  if (existsSync(new URL('./typeScript.mjs', import.meta.url)))
    return `An installation for production leaves it out. Run "npm install --no-save --save-prod --omit=dev ${playwright}" in the folder of Handrail.`
  return `Run "npm install ${playwright}" where ${name} is installed, with --global if it is.`
}
