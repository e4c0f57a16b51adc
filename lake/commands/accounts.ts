import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject} from '../../common/json.ts'
import type {State} from '../../content/state/state.ts'
import {Accounts, isEmail} from '../access/accounts.ts'
import {Administration} from '../access/administration.ts'
import {describeRights, parsePersonRights, parseRights, type Rights} from '../access/rights/rights.ts'
import {editorHere, linkTo} from '../access/signInLink.ts'
import {AuditLog} from '../audit/auditLog.ts'
import {readWords, required, table, USAGE, unknownCommand, type Values} from './commandLine.ts'

/**
 * Runs a command that manages accounts, or prints what was done with them. A running lake picks up the change at once.
 * @param words the command-line arguments after the name of the script
 * @param origin the public origin of the lake, for links
 * @returns the text to print
 * @throws Error with the text to print
 */
export async function manageAccounts(
  words: readonly string[],
  state: State,
  origin: string,
): Promise<string> {
  const {values, positionals} = readWords(words)
  const command = positionals.join(' ')
  const accounts = new Accounts(state)
  const audit = new AuditLog(state)
  // Not `userInfo`, which throws in a container whose user has no name.
  const user = process.env.SUDO_USER || process.env.USER
  const by = {id: '<command-line>', name: `The command line${user ? ` (${user})` : ''}`, email: ''}
  const administration = new Administration({accounts, audit, by, isLimited: false})
  try {
    switch (positionals[0]) {
      case 'editor':
        return await runEditorCommand(command, values, {state, accounts, administration, origin})
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

type EditorOptions = {
  readonly state: State
  readonly accounts: Accounts
  readonly administration: Administration
  /** The public origin of the lake, for links. */
  readonly origin: string
}

/** Runs `editor add`, `link`, `role`, `password`, `list`, `remove`, `erase` or `sign-out`. */
async function runEditorCommand(
  command: string,
  values: Values,
  {state, accounts, administration, origin}: EditorOptions,
): Promise<string> {
  const email = () => required(values.email, 'email')
  switch (command) {
    case 'editor add': {
      const added = {
        email: readEmail(email()),
        name: required(values.name, 'name'),
        rights: readRights(values.role, values.sites, parsePersonRights),
      }
      const {editor, code} = await administration.invite(added)
      return `${editor.name} <${editor.email}> is ${describeRights(editor.rights)}\n${linkTo(origin, code)}`
    }
    case 'editor link': {
      const editor =
        values.email === undefined
          ? ((await editorHere(accounts, administration)) ?? editorWith(accounts, email()))
          : editorWith(accounts, values.email)
      return linkTo(origin, await administration.makeLink(editor))
    }
    case 'editor role': {
      const rights = readRights(required(values.role, 'role'), values.sites, parsePersonRights)
      const editor = await administration.setRights(email(), rights)
      return `${editor.name} <${editor.email}> is ${describeRights(editor.rights)}`
    }
    case 'editor password': {
      const editor = await administration.removePassword(email())
      return linkTo(origin, await administration.makeLink(editor))
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

/**
 * The rights that `--role` and `--sites` give.
 * @param role by default publisher
 * @param sites ids of site documents, separated by commas; undefined for all sites
 * @throws Error with the text to print
 */
function readRights(role = 'publisher', sites: string | undefined, parse: typeof parseRights): Rights {
  try {
    return parse([{role, sites: sites === undefined ? 'all' : sites.split(',').map((id) => id.trim())}])
  } catch (error) {
    throw new Error(`--role ${role}${sites === undefined ? '' : ` --sites ${sites}`}: ${errorMessage(error)}`)
  }
}

/** Runs `token add`, `list` or `remove`. */
async function runTokenCommand(
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
      return table(accounts.tokens.all().map((one) => [describeRights(one.rights), one.name]))
    case 'token remove':
      await administration.removeTokens(name())
      return `Removed ${name()}`
    default:
      throw unknownCommand(command)
  }
}

const ERASED = 'an erased person'

/** A person as stored texts name them. */
type Person = {readonly id: string; readonly name: string; readonly email: string}

/**
 * Removes an editor, and the name and address of an editor or a former one from the audit log and from the history of reviews. Their
 * id stays. Git's history is not changed.
 * @returns the text to print
 * @throws Error with the text to print, if no editor has the address, or requests for reviews name the person
 */
async function erasePerson(
  email: string,
  {state, accounts, administration}: {state: State; accounts: Accounts; administration: Administration},
): Promise<string> {
  const editor = accounts.byEmail(email)
  const {id} = editor ?? formerEditor(state, email) ?? {}
  if (id === undefined) throw new Error(`No editor or former editor has the address ${email}`)
  const open = state.all('SELECT id FROM draft WHERE instr(document, ?)', JSON.stringify(id))
  if (open.length > 0)
    throw new Error(
      `Requests for reviews name this person. Publish them, send them back or withdraw them first: ${open.map((row) => row.id).join(', ')}`,
    )
  if (editor !== undefined) await administration.removeEditor(email)
  const changed = state.transaction(() => {
    state.run('DELETE FROM session WHERE editor_id = ?', id)
    return ['audit_event.event', 'draft_step.before', 'draft_step.after'].map((place) =>
      eraseIn(state, place, id),
    )
  })
  const [events = 0, ...steps] = changed
  return (
    `Erased ${email}: ${events} events of the audit log, ${Math.max(...steps)} steps of reviews. ` +
    'Commits in Git keep the name and address, and so do backups from before.'
  )
}

/** Whom the audit log knows by an address. */
function formerEditor(state: State, email: string): {id: string} | undefined {
  const rows = state.all('SELECT event FROM audit_event WHERE instr(lower(event), ?)', email.toLowerCase())
  return rows
    .flatMap(({event}) => peopleIn(JSON.parse(String(event))))
    .find((person) => person.email.toLowerCase() === email.toLowerCase())
}

/** @param place a table and a column with JSON @returns how many rows changed */
function eraseIn(state: State, place: string, id: string): number {
  const [table, column] = place.split('.')
  const sql = `SELECT number, ${column} AS json FROM ${table} WHERE instr(${column}, ?)`
  const rows = state.all(sql, JSON.stringify(id))
  for (const {number, json} of rows) {
    const value: unknown = JSON.parse(String(json))
    const people = peopleIn(value).filter((person) => person.id === id)
    const rest = without(value, id)
    // The sentence of an event.
    const isEvent = table === 'audit_event' && isJsonObject(rest) && typeof rest.text === 'string'
    const text = JSON.stringify(isEvent ? {...rest, text: people.reduce(unnamed, `${rest.text}`)} : rest)
    state.run(`UPDATE ${table} SET ${column} = ? WHERE number = ?`, text, Number(number))
  }
  return rows.length
}

function peopleIn(value: unknown): Person[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(peopleIn)
  if (!isJsonObject(value)) return inner
  const {id, name, email = ''} = value
  return typeof id === 'string' && typeof name === 'string' && typeof email === 'string'
    ? [{id, name, email}, ...inner]
    : inner
}

/** A value in which nothing with this id has a name or an address. */
function without(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, id))
  if (!isJsonObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one, id)]))
  if (value.id !== id || typeof value.name !== 'string') return inner
  return {...inner, name: ERASED, ...('email' in value && {email: ''})}
}

/** A sentence without a name, as a whole word, and an address. */
function unnamed(text: string, {name, email}: Person): string {
  const word = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const shorter = email === '' ? text : text.replaceAll(` (${email})`, '').replaceAll(email, '')
  return name === ''
    ? shorter
    : shorter.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'gu'), ERASED)
}
