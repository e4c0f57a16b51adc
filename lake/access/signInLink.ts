import {readFile, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {type State, StateError} from '../../content/state/state.ts'
import {git} from '../../git/process.ts'
import type {Access} from './access.ts'
import type {Accounts} from './accounts.ts'
import {Administration} from './administration.ts'
import type {Principal} from './principal.ts'
import {everywhere} from './rights/rights.ts'

/**
 * Returns a one-time link for the person who starts the lake, unless somebody is signed in. If there are no
 * editors, it adds one with the name from the Git configuration.
 * @param address where the lake listens
 * @param origin the public origin of the lake behind a proxy
 * @returns undefined if an editor is signed in, if it is not clear which of several editors starts the lake,
 * or if the database cannot be used, which readiness reports
 */
export async function signInLink(
  {accounts, sessions, audit}: Pick<Access, 'accounts' | 'sessions' | 'audit'>,
  address: string,
  origin?: string,
): Promise<string | undefined> {
  const by = {id: '<start>', name: 'The start of the lake', email: ''}
  const administration = new Administration({accounts, audit, by, isLimited: false})
  try {
    if (accounts.editors().some(({id}) => sessions.ofEditor(id).length > 0)) return undefined
    const editor = await editorHere(accounts, administration)
    if (editor === undefined) return undefined
    return linkTo(origin ?? browserAddress(address), await administration.makeLink(editor))
  } catch (error) {
    if (error instanceof StateError) return undefined
    throw error
  }
}

/** The only editor, else the one with the address of the Git configuration. Without editors, it adds one. */
export async function editorHere(
  accounts: Accounts,
  administration: Administration,
): Promise<Principal | undefined> {
  const editors = accounts.editors()
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
  return email === undefined ? undefined : accounts.byEmail(email)
}

async function gitSetting(name: string): Promise<string | undefined> {
  const value = await git('.', ['config', '--get', name]).catch(() => '')
  return value.trim() === '' ? undefined : value.trim()
}

/**
 * Where browsers reach a lake that listens on this machine. Not the IP address: browsers do not share cookies between
 * it and `localhost`.
 */
export function browserAddress(address: string): string {
  return address.replace('//127.0.0.1:', '//localhost:')
}

function originFile({path}: State): string {
  return join(dirname(path), 'origin')
}

/** Keeps where browsers reach this lake, for the links that commands print. */
export async function keepOrigin(state: State, origin: string): Promise<void> {
  // On a full disk, a lake still serves.
  await writeFile(originFile(state), origin, {mode: 0o600}).catch(() => {})
}

/** Where browsers reach the lake that was started last. */
export async function originOf(state: State): Promise<string | undefined> {
  return readFile(originFile(state), 'utf8').catch(() => undefined)
}

/** The address of a one-time link. */
export function linkTo(origin: string, code: string): string {
  return `${origin}/login?code=${code}`
}
