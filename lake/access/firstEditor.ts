import {git} from '../git/process.ts'
import {Accounts} from './accounts.ts'
import {linkTo} from './command.ts'

/**
 * Adds one editor when there are none, named as Git names the person at the terminal, and returns a link that signs
 * them in once.
 * @param address where the lake listens
 * @param origin where browsers reach the lake behind a proxy
 * @returns undefined when there are editors, or the file of editors cannot be read
 */
export async function welcomeFirstEditor(
  editorsFile: string,
  address: string,
  origin?: string,
): Promise<string | undefined> {
  const accounts = new Accounts(editorsFile)
  // The lake has logged the problem.
  if ((await accounts.problem()) !== undefined) return undefined
  if ((await accounts.editors()).length > 0) return undefined
  const {id} = await accounts.addEditor({
    name: (await gitSetting('user.name')) ?? 'Local editor',
    email: (await gitSetting('user.email')) ?? 'editor@localhost',
    role: 'administrator',
  })
  // By name, not by number: browsers do not share cookies between the two.
  return linkTo(origin ?? `http://localhost:${new URL(address).port}`, await accounts.makeLink(id))
}

async function gitSetting(name: string): Promise<string | undefined> {
  const value = await git('.', ['config', '--get', name]).catch(() => '')
  return value.trim() === '' ? undefined : value.trim()
}
