import type {State} from '../../content/state/state.ts'
import {Accounts} from '../access/accounts.ts'
import {Administration} from '../access/administration.ts'
import type {ScryptCost} from '../access/secrets.ts'
import {AuditLog} from '../audit/auditLog.ts'
import {readWords, unknownCommand} from './commandLine.ts'
import {runEditorCommand} from './editor.ts'
import type {Input} from './password.ts'
import {runTokenCommand} from './token.ts'

type ManageOptions = {
  readonly input?: Input
  readonly scryptCost?: ScryptCost
}

/**
 * Runs a command that manages accounts, or prints what was done with them. A running lake picks up the change at once.
 * @param words the command-line arguments after the name of the script
 * @param origin the public origin of the lake, for links
 * @param options where to read a password, and what hashing it costs; by default standard input, and that of `Accounts`
 * @returns the text to print
 * @throws Error with the text to print
 */
export async function manageAccounts(
  words: readonly string[],
  state: State,
  origin: string,
  {input = process.stdin, scryptCost}: ManageOptions = {},
): Promise<string> {
  const {values, positionals} = readWords(words)
  const command = positionals.join(' ')
  const accounts = new Accounts(state, scryptCost)
  const audit = new AuditLog(state)
  // Not `userInfo`, which throws in a container whose user has no name.
  const user = process.env.SUDO_USER || process.env.USER
  const by = {id: '<command-line>', name: `The command line${user ? ` (${user})` : ''}`, email: ''}
  const administration = new Administration({accounts, audit, by, isLimited: false})
  try {
    switch (positionals[0]) {
      case 'editor':
        return await runEditorCommand(command, values, {state, accounts, administration, origin, input})
      case 'token':
        return await runTokenCommand(command, values, {accounts, administration})
      case 'audit':
        return audit.lines(values.after).join('\n')
      default:
        throw unknownCommand(command)
    }
  } finally {
    audit.close()
  }
}
