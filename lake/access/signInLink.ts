import {git} from '../../git/process.ts'
import type {Access} from './access.ts'
import type {Accounts} from './accounts.ts'
import {Administration} from './administration.ts'
import {isSameEmail} from './credentials/credentials.ts'
import type {Principal} from './principal.ts'
import {everywhere} from './rights/rights.ts'
import {browserAddress} from './runningAddress.ts'
import {linkTo} from './signIn/link.ts'

/**
 * Returns a one-time link for the person who starts the lake, unless somebody is signed in. If there are no
 * editors, it adds one with the name from the Git configuration.
 * @param address where the lake listens
 * @param origin the public origin of the lake behind a proxy
 * @returns undefined if an editor is signed in, if it is not clear which of several editors starts the lake,
 * or if the credentials cannot be read
 */
export async function signInLink(
  {accounts, sessions, audit}: Pick<Access, 'accounts' | 'sessions' | 'audit'>,
  address: string,
  origin?: string,
): Promise<string | undefined> {
  const by = {id: '<start>', name: 'The start of the lake', email: ''}
  const administration = new Administration({accounts, audit, by, isLimited: false})
  // The problem is in the log already.
  if ((await accounts.problem()) !== undefined) return undefined
  for (const session of await sessions.all())
    if ((await accounts.bySession(session)) !== undefined) return undefined
  const editor = await editorHere(accounts, administration)
  if (editor === undefined) return undefined
  return linkTo(origin ?? browserAddress(address), await administration.makeLink(editor))
}

/** The only editor, else the one with the address of the Git configuration. */
async function editorHere(
  accounts: Accounts,
  administration: Administration,
): Promise<Principal | undefined> {
  const editors = await accounts.editors()
  const email = await gitSetting('user.email')
  if (editors.length === 0) {
    return administration.addEditor({
      name: (await gitSetting('user.name')) ?? 'Local editor',
      email: email ?? 'editor@localhost',
      rights: everywhere('administrator'),
    })
  }
  const [first, ...others] = editors
  if (others.length === 0) return first
  return email === undefined ? undefined : editors.find((editor) => isSameEmail(editor.email, email))
}

async function gitSetting(name: string): Promise<string | undefined> {
  const value = await git('.', ['config', '--get', name]).catch(() => '')
  return value.trim() === '' ? undefined : value.trim()
}
