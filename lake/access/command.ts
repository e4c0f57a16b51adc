import {createInterface} from 'node:readline/promises'
import {type Readable, Writable} from 'node:stream'
import {parseArgs} from 'node:util'
import {errorMessage} from '../../common/errorMessage.ts'
import {isValidId} from '../../content/ids.ts'
import type {State} from '../../content/state/state.ts'
import {AuditLog} from '../audit/auditLog.ts'
import {Accounts} from './accounts.ts'
import {Administration} from './administration.ts'
import {isEmail, isSameEmail} from './credentials/credentials.ts'
import {passwordProblem} from './credentials/password.ts'
import type {ScryptCost} from './credentials/secret.ts'
import {describeRights, parsePersonRights, parseRights, type Rights, type SiteName} from './rights/rights.ts'
import {ROLES} from './rights/role.ts'
import {linkTo} from './signIn/link.ts'

const USAGE = `Usage: npm run lake -- <command>

  editor add --email ADDRESS --name NAME [--role ROLE] [--sites IDS]
      Adds an editor. Asks for a password, or reads it from a pipe.
  editor link --email ADDRESS
      Prints a link that signs the editor in once, within half an hour; within 3 days if they were invited in Studio and
      have not signed in yet. It replaces an earlier link.
  editor role --email ADDRESS --role ROLE [--sites IDS]
      Replaces an editor's rights. They apply to open sessions at once.
  editor password --email ADDRESS
      Changes an editor's password, ends their sessions and revokes their link. Asks for the password, or reads it
      from a pipe.
  editor list
      Prints the rights, address and name of each editor.
  editor remove --email ADDRESS
      Removes an editor and ends their sessions. Their commits keep their name.
  editor sign-out --email ADDRESS | --all
      Ends all sessions of an editor, or of everybody, and revokes their links.
  token add --name NAME [--role ROLE] [--sites IDS]
      Adds a token for a program and prints it. It cannot be shown again.
  token list
      Prints the rights and name of each token.
  token rotate --name NAME [--hours HOURS]
      Replaces a token and prints the new value. The old one works for another 24 hours, or HOURS; 0 ends it at once.
  token remove --name NAME
      Revokes the tokens with that name.

  audit [--after ID]
      Prints the audit log, the oldest event first, as lines of JSON; only events after the one with that ID.

  backup --to FOLDER [--keep COUNT]
      Writes the content repository and the database to a new folder in FOLDER, while the lake runs. Then deletes all
      but the newest COUNT backups there.
  restore --from FOLDER
      Restores a backup, or the newest one in FOLDER, to an empty CONTENT_DIR. Adds newer commits of GIT_REMOTE, and lists
      drafts that are older than what was published since.

  promote [--without-remote]
      Makes a standby the primary, which accepts changes. The old primary is refused at its next push. Without the remote,
      nothing stops the old primary: make sure that it does not run.

  ROLE is ${ROLES.join(', ')}. The default for "add" is publisher.
  A reporter is a token that sends results of tests.
  IDS are the "_id" of site documents, separated by commas. The default is all sites.`

/** The options of each command. Another one, such as `--sites` of `editor remove`, would be ignored. */
const COMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['editor add', ['email', 'name', 'role', 'sites']],
  ['editor link', ['email']],
  ['editor role', ['email', 'role', 'sites']],
  ['editor password', ['email']],
  ['editor list', []],
  ['editor remove', ['email']],
  ['editor sign-out', ['email', 'all']],
  ['token add', ['name', 'role', 'sites']],
  ['token list', []],
  ['token rotate', ['name', 'hours']],
  ['token remove', ['name']],
  ['audit', ['after']],
  ['backup', ['to', 'keep']],
  ['restore', ['from']],
  ['promote', ['without-remote']],
])

/**
 * What to print instead of running a command: undefined for one that can run.
 * @throws Error with the text to print if there is no such command, or it has no such option
 */
export function commandHelp(words: readonly string[]): string | undefined {
  const {values, positionals} = readWords(words)
  if (values.help) return USAGE
  const command = positionals.join(' ')
  const options = COMMANDS.get(command)
  if (options === undefined) throw unknownCommand(command)
  const other = Object.keys(values).find((name) => !options.includes(name))
  if (other !== undefined) throw new Error(`"${command}" has no option --${other}\n\n${USAGE}`)
  return undefined
}

function unknownCommand(command: string): Error {
  const problem = command === '' ? 'The command is missing' : `There is no command "${command}"`
  return new Error(`${problem}\n\n${USAGE}`)
}

/**
 * Runs a command that manages accounts. A running lake picks up the change at once.
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
  const accounts = new Accounts(state, {scryptCost})
  const audit = new AuditLog(state)
  // Not `userInfo`, which throws in a container whose user has no name.
  const user = process.env.SUDO_USER || process.env.USER
  const by = {id: '<command-line>', name: `The command line${user ? ` (${user})` : ''}`, email: ''}
  const siteName = await namesFor(accounts, values.sites, siteNames)
  const administration = new Administration({accounts, audit, by, isLimited: false, siteName})
  try {
    return await runCommand(positionals.join(' '), values, {
      accounts,
      administration,
      audit,
      origin,
      input,
      siteName,
    })
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
    ...listed(sites),
  ])
  const names = (await siteNames?.([...ids].filter(isValidId))) ?? new Map<string, string>()
  return (id) => {
    const name = names.get(id)
    return name === undefined ? id : `${name} (${id})`
  }
}

function listed(sites: string | undefined): string[] {
  return sites?.split(',').map((id) => id.trim()) ?? []
}

/** Where a password comes from: a terminal, or a pipe. */
type Input = Readable & {readonly isTTY?: boolean}

export type ManageOptions = {
  readonly input?: Input
  readonly scryptCost?: ScryptCost
  /** Finds the names of sites by their ids. */
  readonly siteNames?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

type CommandOptions = {
  readonly accounts: Accounts
  readonly administration: Administration
  readonly audit: AuditLog
  readonly origin: string
  readonly input: Input
  readonly siteName: SiteName | undefined
}

async function runCommand(
  command: string,
  values: ReturnType<typeof readWords>['values'],
  {accounts, administration, audit, origin, input, siteName}: CommandOptions,
): Promise<string> {
  const email = () => required(values.email, 'email')
  const name = () => required(values.name, 'name')
  const inWords = (given: Rights) => describeRights(given, siteName)
  const rights = (parse: typeof parseRights, role = values.role ?? 'publisher') =>
    readRights(role, values.sites, parse)
  switch (command) {
    case 'editor add': {
      const added = {email: readEmail(email()), name: name(), rights: rights(parsePersonRights)}
      const editor = await administration.addEditor(added, await askPassword(input, added))
      return `${editor.name} <${editor.email}> is ${inWords(editor.rights)}`
    }
    case 'editor link':
      return linkTo(origin, await administration.makeLink(await editorWith(accounts, email())))
    case 'editor role': {
      const editor = await administration.setRights(
        email(),
        rights(parsePersonRights, required(values.role, 'role')),
      )
      return `${editor.name} <${editor.email}> is ${inWords(editor.rights)}`
    }
    case 'editor password': {
      const known = await editorWith(accounts, email())
      const editor = await administration.setPassword(email(), await askPassword(input, known))
      return `Changed the password of ${editor.name} <${editor.email}> and ended their sessions`
    }
    case 'editor list':
      return table((await accounts.editors()).map((one) => [inWords(one.rights), one.email, one.name]))
    case 'editor remove':
      await administration.removeEditor(email())
      return `Removed ${email()}`
    case 'editor sign-out': {
      if (values.all && values.email !== undefined)
        throw new Error(`--email and --all exclude each other\n\n${USAGE}`)
      const count = await administration.signOut(values.all ? undefined : email())
      return values.all ? `Ended the sessions of everybody (${count})` : `Ended the sessions of ${email()}`
    }
    case 'token add':
      return (await administration.addToken(name(), rights(parseRights))).token
    case 'token list':
      return table((await accounts.tokens()).map((one) => [inWords(one.rights), one.name]))
    case 'token rotate': {
      const hours = readHours(values.hours ?? '24')
      const token = await administration.rotateToken(name(), hours * HOUR)
      const until = new Date(Date.now() + hours * HOUR).toISOString()
      return `${token}\n${hours === 0 ? 'The old value has ended' : `The old value works until ${until}`}`
    }
    case 'token remove':
      await administration.removeTokens(name())
      return `Removed ${name()}`
    case 'audit':
      return audit.lines(values.after).join('\n')
    default:
      throw unknownCommand(command)
  }
}

/** @throws Error with the text to print */
export function readWords(words: readonly string[]) {
  const text = {type: 'string'} as const
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        email: text,
        name: text,
        role: text,
        sites: text,
        after: text,
        to: text,
        keep: text,
        from: text,
        hours: text,
        all: {type: 'boolean'},
        'without-remote': {type: 'boolean'},
        help: {type: 'boolean', short: 'h'},
      },
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}

async function editorWith(accounts: Accounts, email: string) {
  const editor = (await accounts.editors()).find((one) => isSameEmail(one.email, email))
  if (editor === undefined) throw new Error(`editor "${email}" not found`)
  return editor
}

function readEmail(email: string): string {
  if (!isEmail(email)) throw new Error(`"${email}" is not an email address`)
  return email
}

/** @param sites ids of site documents, separated by commas; undefined for all sites */
function readRights(role: string, sites: string | undefined, parse: typeof parseRights): Rights {
  try {
    return parse([{role, sites: sites === undefined ? 'all' : listed(sites)}])
  } catch (error) {
    throw new Error(`--role ${role}${sites === undefined ? '' : ` --sites ${sites}`}: ${errorMessage(error)}`)
  }
}

/** @throws Error with the text to print */
export function required(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new Error(`--${name} is missing\n\n${USAGE}`)
  return value.trim()
}

const HOUR = 60 * 60_000

function readHours(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new Error(`--hours ${text}: must be a whole number up to 9999`)
  return Number(text)
}

function table(rows: readonly string[][]): string {
  return rows.length === 0 ? 'none' : rows.map((row) => row.join('\t')).join('\n')
}

async function askPassword(
  input: Input,
  editor: {readonly name: string; readonly email: string},
): Promise<string> {
  const lines = createInterface({
    input,
    // Do not echo the input.
    output: new Writable({write: (_chunk, _encoding, done) => done()}),
    terminal: input.isTTY === true,
  })
  try {
    if (input.isTTY === true) process.stderr.write('Password: ')
    const {value} = await lines[Symbol.asyncIterator]().next()
    if (input.isTTY === true) process.stderr.write('\n')
    const password = typeof value === 'string' ? value : ''
    const problem = passwordProblem(password, editor)
    if (problem !== undefined) throw new Error(problem)
    return password
  } finally {
    lines.close()
  }
}
