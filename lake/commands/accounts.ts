import {isValidId} from '../../content/ids.ts'
import type {State} from '../../content/state/state.ts'
import {Accounts} from '../access/accounts.ts'
import {Administration} from '../access/administration.ts'
import type {ScryptCost} from '../access/credentials/secret.ts'
import type {SiteName} from '../access/rights/rights.ts'
import {AuditLog} from '../audit/auditLog.ts'
import {readWords, unknownCommand} from './commandLine.ts'
import {runEditorCommand} from './editor.ts'
import type {Input} from './password.ts'
import {sitesIn} from './rights.ts'
import {runTokenCommand} from './token.ts'

type ManageOptions = {
  readonly input?: Input
  readonly scryptCost?: ScryptCost
  /** Finds the names of sites by their ids. */
  readonly siteNames?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * Runs a command that manages accounts, or prints what was done with them. A running lake picks up the change at once.
 * @param words the command-line arguments after the name of the script
 * @param origin the public origin of the lake, for links
 * @param options where to read a password, what hashing it costs, and the names of sites; by default standard input, that of
 * `Accounts`, and their ids
 * @returns the text to print
 * @throws Error with the text to print
 */
export async function manageAccounts(
  words: readonly string[],
  state: State,
  origin: string,
  {input = process.stdin, scryptCost, siteNames}: ManageOptions = {},
): Promise<string> {
  const {values, positionals} = readWords(words)
  const command = positionals.join(' ')
  const accounts = new Accounts(state, {scryptCost})
  const audit = new AuditLog(state)
  // Not `userInfo`, which throws in a container whose user has no name.
  const user = process.env.SUDO_USER || process.env.USER
  const by = {id: '<command-line>', name: `The command line${user ? ` (${user})` : ''}`, email: ''}
  const siteName = await namesFor(accounts, values.sites, siteNames)
  const administration = new Administration({accounts, audit, by, isLimited: false, siteName})
  try {
    switch (positionals[0]) {
      case 'editor':
        return await runEditorCommand(command, values, {
          state,
          accounts,
          administration,
          origin,
          input,
          siteName,
        })
      case 'token':
        return await runTokenCommand(command, values, {accounts, administration, siteName})
      case 'audit':
        return audit.lines(values.after).join('\n')
      default:
        throw unknownCommand(command)
    }
  } finally {
    audit.close()
  }
}

/** Names the sites of everybody's rights, and those that a command names: by name and id, because commands need ids. */
async function namesFor(
  accounts: Accounts,
  sites: string | undefined,
  siteNames: ManageOptions['siteNames'],
): Promise<SiteName> {
  const held = [...(await accounts.editors()), ...(await accounts.tokens())].flatMap(({rights}) => rights)
  const ids = new Set([
    ...held.flatMap((right) => (right.sites === 'all' ? [] : right.sites)),
    ...(sites === undefined ? [] : sitesIn(sites)),
  ])
  const names = (await siteNames?.([...ids].filter(isValidId))) ?? new Map<string, string>()
  return (id) => {
    const name = names.get(id)
    return name === undefined ? id : `${name} (${id})`
  }
}
