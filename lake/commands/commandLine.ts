import {parseArgs} from 'node:util'
import {errorMessage} from '../../common/errorMessage.ts'
import {ROLES} from '../access/rights/rights.ts'

export const USAGE = `Usage: npm run lake -- <command>

  editor add --email ADDRESS --name NAME [--role ROLE] [--sites IDS]
      Adds an editor, and prints a link that signs them in once, within 3 days. They can then set a password in Studio.
  editor link [--email ADDRESS]
      Prints a link that signs the editor in once, within half an hour; within 3 days if they were invited in Studio and
      have not signed in yet. It replaces an earlier link. Without ADDRESS, it is for the only editor, or for the one in
      Git's configuration; a new lake adds an administrator.
  editor role --email ADDRESS --role ROLE [--sites IDS]
      Replaces an editor's rights. They apply to open sessions at once.
  editor password --email ADDRESS
      Removes an editor's password, ends their sessions, and prints a link with which they can set another one.
  editor list
      Prints the rights, address and name of each editor.
  editor remove --email ADDRESS
      Removes an editor and ends their sessions. Their commits keep their name.
  editor erase --email ADDRESS
      Removes an editor, and the name and address of an editor or a former one from the audit log and the history of
      reviews. Commits and backups keep them.
  editor sign-out --email ADDRESS | --all
      Ends all sessions of an editor, or of everybody, and revokes their links.
  token add --name NAME [--role ROLE] [--sites IDS]
      Adds a token for a program and prints it. It cannot be shown again.
  token list
      Prints the rights and name of each token.
  token remove --name NAME
      Revokes the tokens with that name.

  audit [--after ID]
      Prints the audit log, the oldest event first, as lines of JSON; only events after the one with that ID.

  backup --to FOLDER [--keep COUNT]
      Writes the content repository and the database to a new folder in FOLDER, while the lake runs. Then deletes all
      but the newest COUNT backups there.
  verify --from FOLDER
      Reads every backup in FOLDER, and says which of them can be restored.
  restore --from FOLDER
      Restores a backup, or the newest one in FOLDER, to an empty CONTENT_DIR. Adds newer commits of GIT_REMOTE.

  ROLE is ${ROLES.join(', ')}. The default for "add" is publisher.
  A reporter is a token that sends results of tests.
  IDS are the "_id" of site documents, separated by commas. The default is all sites.`

/** The options of each command, as its line in the usage names them. Another one, such as `--sites` of `editor remove`, would be ignored. */
const COMMANDS: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from(
    USAGE.matchAll(/^ {2}([a-z][a-z -]*?)(?= {2}| --| \[|$)(.*)$/gm),
    ([, command = '', options = '']) => [
      command,
      Array.from(options.matchAll(/--(\w+)/g), ([, name = '']) => name),
    ],
  ),
)

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

/** What a command throws that does not exist. */
export function unknownCommand(command: string): Error {
  const problem = command === '' ? 'The command is missing' : `There is no command "${command}"`
  return new Error(`${problem}\n\n${USAGE}`)
}

/**
 * The options and other words of a command.
 * @throws Error with the text to print
 */
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
        all: {type: 'boolean'},
        help: {type: 'boolean', short: 'h'},
      },
    })
  } catch (error) {
    throw new Error(`${errorMessage(error)}\n\n${USAGE}`)
  }
}

/** Values of the options of a command. */
export type Values = ReturnType<typeof readWords>['values']

/** @throws Error with the text to print */
export function required(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new Error(`--${name} is missing\n\n${USAGE}`)
  return value.trim()
}

/** Rows as lines of a terminal. */
export function table(rows: readonly string[][]): string {
  return rows.length === 0 ? 'none' : rows.map((row) => row.join('\t')).join('\n')
}
