import {git} from '../content/git.ts'
import {Accounts} from './accounts.ts'
import {linkTo} from './command.ts'

/**
 * Where nobody may sign in yet, makes one editor for whoever started the lake, named as Git names them, and answers
 * a link that signs in once. Undefined where there are editors.
 */
export async function welcomeFirstEditor(editorsFile: string, address: string): Promise<string | undefined> {
  const accounts = new Accounts(editorsFile)
  if ((await accounts.editors()).length > 0) return undefined
  const {id} = await accounts.addEditor({
    name: (await gitSetting('user.name')) ?? 'Local editor',
    email: (await gitSetting('user.email')) ?? 'editor@localhost',
    role: 'administrator',
  })
  // By name, not by number: browsers treat a cookie of one as none of the other's.
  const {port} = new URL(address)
  return linkTo(`http://localhost:${port}`, await accounts.makeLink(id))
}

async function gitSetting(name: string): Promise<string | undefined> {
  const value = await git('.', ['config', '--get', name]).catch(() => '')
  return value.trim() === '' ? undefined : value.trim()
}
