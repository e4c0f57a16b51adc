import {git} from '../git/process.ts'
import {Accounts} from './accounts.ts'
import {linkTo} from './command.ts'

/**
 * If there are no editors, adds one with the name from the Git configuration, and returns a one-time link for
 * it.
 * @param address where the lake listens
 * @param origin the public origin of the lake behind a proxy
 * @returns undefined if there are editors, or the file of editors cannot be read
 */
export async function welcomeFirstEditor(
  editorsFile: string,
  address: string,
  origin?: string,
): Promise<string | undefined> {
  const accounts = new Accounts(editorsFile)
  // The problem is in the log already.
  if ((await accounts.problem()) !== undefined) return undefined
  if ((await accounts.editors()).length > 0) return undefined
  const {id} = await accounts.addEditor({
    name: (await gitSetting('user.name')) ?? 'Local editor',
    email: (await gitSetting('user.email')) ?? 'editor@localhost',
    role: 'administrator',
  })
  // Use `localhost` instead of the IP address: browsers do not share cookies between the two.
  return linkTo(origin ?? `http://localhost:${new URL(address).port}`, await accounts.makeLink(id))
}

async function gitSetting(name: string): Promise<string | undefined> {
  const value = await git('.', ['config', '--get', name]).catch(() => '')
  return value.trim() === '' ? undefined : value.trim()
}
