import type {State} from '../../content/state/state.ts'
import type {Accounts} from '../access/accounts.ts'
import {isEmail} from '../access/accounts.ts'
import type {Administration} from '../access/administration.ts'
import {describeRights, parsePersonRights} from '../access/rights/rights.ts'
import {linkTo} from '../access/signIn/link.ts'
import {required, table, USAGE, unknownCommand, type Values} from './commandLine.ts'
import {erasePerson} from './erase.ts'
import {askPassword, type Input} from './password.ts'
import {readRights} from './rights.ts'

type EditorOptions = {
  readonly state: State
  readonly accounts: Accounts
  readonly administration: Administration
  /** The public origin of the lake, for links. */
  readonly origin: string
  readonly input: Input
}

/** Runs `editor add`, `link`, `role`, `password`, `list`, `remove`, `erase` or `sign-out`. */
export async function runEditorCommand(
  command: string,
  values: Values,
  {state, accounts, administration, origin, input}: EditorOptions,
): Promise<string> {
  const email = () => required(values.email, 'email')
  switch (command) {
    case 'editor add': {
      const added = {
        email: readEmail(email()),
        name: required(values.name, 'name'),
        rights: readRights(values.role, values.sites, parsePersonRights),
      }
      const editor = await administration.addEditor(added, await askPassword(input, added))
      return `${editor.name} <${editor.email}> is ${describeRights(editor.rights)}`
    }
    case 'editor link':
      return linkTo(origin, await administration.makeLink(editorWith(accounts, email())))
    case 'editor role': {
      const rights = readRights(required(values.role, 'role'), values.sites, parsePersonRights)
      const editor = await administration.setRights(email(), rights)
      return `${editor.name} <${editor.email}> is ${describeRights(editor.rights)}`
    }
    case 'editor password': {
      const known = editorWith(accounts, email())
      const editor = await administration.setPassword(email(), await askPassword(input, known))
      return `Changed the password of ${editor.name} <${editor.email}> and ended their sessions`
    }
    case 'editor list':
      return table(accounts.editors().map((one) => [describeRights(one.rights), one.email, one.name]))
    case 'editor remove':
      await administration.removeEditor(email())
      return `Removed ${email()}`
    case 'editor erase':
      return erasePerson(email(), {state, accounts, administration})
    case 'editor sign-out': {
      if (values.all && values.email !== undefined)
        throw new Error(`--email and --all exclude each other\n\n${USAGE}`)
      const count = await administration.signOut(values.all ? undefined : email())
      return values.all ? `Ended the sessions of everybody (${count})` : `Ended the sessions of ${email()}`
    }
    default:
      throw unknownCommand(command)
  }
}

function editorWith(accounts: Accounts, email: string) {
  const editor = accounts.byEmail(email)
  if (editor === undefined) throw new Error(`editor "${email}" not found`)
  return editor
}

function readEmail(email: string): string {
  if (!isEmail(email)) throw new Error(`"${email}" is not an email address`)
  return email
}
