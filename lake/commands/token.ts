import type {Accounts} from '../access/accounts.ts'
import type {Administration} from '../access/administration.ts'
import {describeRights, parseRights} from '../access/rights/rights.ts'
import {required, table, unknownCommand, type Values} from './commandLine.ts'
import {readRights} from './rights.ts'

const HOUR = 60 * 60_000

/** Runs `token add`, `list`, `rotate` or `remove`. */
export async function runTokenCommand(
  command: string,
  values: Values,
  {accounts, administration}: {readonly accounts: Accounts; readonly administration: Administration},
): Promise<string> {
  const name = () => required(values.name, 'name')
  switch (command) {
    case 'token add': {
      const rights = readRights(values.role, values.sites, parseRights)
      return (await administration.addToken(name(), rights)).token
    }
    case 'token list':
      return table(accounts.tokens().map((one) => [describeRights(one.rights), one.name]))
    case 'token rotate': {
      const hours = readHours(values.hours ?? '24')
      const token = await administration.rotateToken(name(), hours * HOUR)
      const until = new Date(Date.now() + hours * HOUR).toISOString()
      return `${token}\n${hours === 0 ? 'The old value has ended' : `The old value works until ${until}`}`
    }
    case 'token remove':
      await administration.removeTokens(name())
      return `Removed ${name()}`
    default:
      throw unknownCommand(command)
  }
}

function readHours(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new Error(`--hours ${text}: must be a whole number up to 9999`)
  return Number(text)
}
